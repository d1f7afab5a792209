// How arguments find their parameters, and children their modules.
module p(a, b=7, c=5) { echo("p", a, b, c); }
p(1); p(b=2, 3); p(c=1, a=9); p(1,2,3);
module q(x=1, y=x+1) { echo("q", x, y); }
x=44; q(); q(5);
function fq(x=1, y=2) = [x,y]; echo(fq(), fq(y=5), fq(3), fq(y=1,7));
module kids() { echo("kids", $children); children(0); children([0,2]); children([1:2]); children(7); }
kids() { cube(1); cube(2); cube(3); }
kids() { if (true) cube(1); for(i=[0:2]) cube(2); kv=3; }
kids() cube(5);
kids();
module nest() { kids() { children(); cube(9); } }
nest() { cube(1); cube(2); }
for (i=[1:2], j=[i:3]) echo(i,j);
module shadow() { x = 3; module inner() echo("inner", x); inner(); let (x = 4) inner(); }
shadow();
module special() { echo("special", $tag); }
module sets() { $tag = "set"; special(); children(); }
$tag = "global";
special(); sets() special(); special($tag = "argument"); sets() special($tag = "both");
function reads() = $tag; echo(reads(), reads($tag = 3));
module late() { echo("late", after); after = 6; }
late();
module twice() { a = 1; echo("twice", a); a = 2; }
twice();
for (i = [0:1]) { k = i * 10; echo("round", i, k); }
if (true) { hidden = 1; echo(hidden); } 
echo(is_undef(hidden));
module outer() { function f(x) = x * inner_value; inner_value = 5; echo(f(2)); }
outer();
f2 = function(n) n <= 1 ? 1 : n * f2(n - 1); 
echo(f2(5));
module counts(n) { if (n > 0) { echo("count", n); counts(n - 1); } }
counts(3);
module order() { echo("a"); translate([1,0,0]) { echo("b"); children(); } echo("c"); }
order() { echo("d"); cube(1); }
assert(true, "never");
assert(1 < 2) echo("assert with children");
echo("echo with children") cube(1);
let (a = 2, b = a * 2) echo(a, b);
