module kids() { echo("kids", $children); children(); }
module nest() { echo("nest",$children); kids() { echo("inside", $children); children(); } }
nest() { cube(1); *cube(2); %cube(3); #cube(4); if(false) cube(3); }
echo([each "ab"], [each 5], [each undef], [each [[1,2],3]]);
echo(str([["a"],"b"]), str("x", "y"), str(), [1,2,[3]] < [1,3], max(1,"a"), max([]), max("a"), min(), concat("ab",[1]), "aé€"[1], ord("€"), chr(8364), chr([65.9]), len("é€"));
echo(cross([1,2,3],[1,2]), norm("a"), norm([]), -"a", -undef, abs("a"), sin("a"), floor(undef), sqrt([1]), pow("a",2), !undef);
for (i=[0:-1:5]) echo("mism", i);
for (i=[5:1:0]) echo("mism2", i);
for (i=[0:0/0]) echo("nan", i);
for (i=["a":"b"]) echo("strs", i);
for (i=[[1,2],[3,4]]) echo("vec", i);
for (i=[0.5:2.6]) echo("half", i);
echo([for (a=0,b=1; a<5; a=a+1, b=b*2) [a,b]], [for (a=0; a<3; a=a+1) let (c=a*a) if (c!=1) c]);
echo(let(a=1, a=a+1) a);
function sum(v,i=0)= i<len(v) ? v[i]+sum(v,i+1) : 0; echo(sum([for(i=[1:1000]) i]));
function tail(n, acc=0) = n==0 ? acc : tail(n-1, acc+n); echo(tail(100000));
function sp() = $z; $z=1; module zz() { $z=2; echo(sp(), sp($z=3)); } zz(); echo(sp());
module scope1() { v=1; module inner() { echo("inner", v, w); } w=2; inner(); function fi(x)=x+v; echo(fi(3)); } scope1();
module rec(n) { if (n>0) { cube(n); translate([n,0,0]) rec(n-1); } } rec(3);
for (i=[0:2]) { k=i*2; echo("k", k); }
if (true) { k2=4; echo(k2); }
echo(lookup(5,[[10,1],[0,0]]), lookup("a",[[1,2]]), lookup(1,[]));
echo(search([1,2],[[1,5],[2,6],[1,7]]), search(1,[[1,5],[2,6],[1,7]],0), search(5,[[1,5],[2,6]],1,1), search("ac",["a","b","c"]), search(["abc"],["abc","d"]), search("abc",["abc","d"]),search([[1,5]],[[1,5],[2,6]]), search("a",[["a",1],["b",2],["a",3]],0), search("a","aXa",2), search([4],[1,2]), search(4,[1,2]), search("xa","aXa",0));
echo(5 == 5.0, "a" == "a", true == 1, [] == [], undef == false, [1,[2]] == [1,[2]], 1 != 2, "1" != 1, [0:2] == [0,1,2]);
echo(true > false, "b" > "a", "a" > 1, [1,2] >= [1,2], undef > undef, true + 1, true * 3, "a" * 2, [1,2,3] * 0, [[1,2],[3,4]] * 2, [1,[2,3]]*2, [1,2]%2, 7 % [2]);
echo(1/0 - 1/0, -1/0, 1 / -0, 0 * -1, [1/0, 0/0], str(-0.0));
echo(round(0.5), round(-0.5), round(1e20), floor(-0.5), 10 % 3.3, -7 % 3);
x = 5; echo(x.x, "abc".x, [1,2].z, [1,2,3,4][3]);
compose = function(f,g) function(x) f(g(x)); echo(compose(function(x) x+1, function(x) x*2)(5));
echo([1,2,3] == [1,2,3] && !false || undef);
echo("a" < "B", "" < "a", [1] < 1, true <= true, true < 1);
echo(a=1, 2, b=[3]); 
echo(tan(30), tan(60), cos(120), sin(-30), sin(390), cos(36), asin(1), acos(-1), atan2(0,0), atan2(1,1), tan(-45), tan(135), atan(1/0), acos(0), asin(-0.5), acos(-0.5), atan(-1), sin(1/0));
echo(log(0), ln(-1), exp(1000), pow(0,-1), pow(-8,1/3), sqrt(1/0), log(8)/log(2), 2^0.5, 7^2);
echo("unicode é", "tab\t|", "q\"", "\\", "\q");
echo(norm([1,2,"a"]), norm([1,[2]]), sign(0), sign("a"), ceil("3"));
