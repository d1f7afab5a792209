incvar = 21;
over = 1;
module incmod() { echo("incmod", incvar, over); }
sphere(over);
