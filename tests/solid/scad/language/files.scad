// Files drawn in: used ones keep their variables, included ones share them.
use <parts/lib.scad>
include <parts/inc.scad>
over = 2;
$q = 5;
libvar = 1000;
libmod(); libmod(3); echo(libfun(1));
incmod();
