libvar = 11;
$libspecial = 12;
echo("lib top");
module libmod(a=libvar) { echo("libmod", a, libvar, $libspecial, $q); }
function libfun(x) = x + libvar;
cube(99);
