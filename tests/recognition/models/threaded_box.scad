// Round box with a screw lid. thread() tells the pitch; the ridges themselves are left out.
od = 50; wall = 2.4; height = 40; neck = 10; slop = 0.4; pitch = 3;
$fn = 96;
module thread(pitch) children();

module tube(o, i, h) difference() { cylinder(d = o, h = h); translate([0, 0, -.01]) cylinder(d = i, h = h + .02); }

module box() {
  cylinder(d = od, h = wall);
  tube(od, od - 2*wall, height);
  thread(pitch) translate([0, 0, height]) tube(od - wall, od - 2*wall, neck);
}
module lid() {
  difference() {
    translate([0, 0, height + 0.2]) cylinder(d = od + wall, h = neck + wall);
    thread(pitch) translate([0, 0, height]) cylinder(d = od - wall + slop, h = neck + 0.5);
  }
}
box();
lid();
