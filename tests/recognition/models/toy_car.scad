// A toy car: axles that turn in the chassis, with wheels that sit tight on them
$fn = 60;
clearance = 0.3;
wheel_d = 24; axle_d = 4; track = 50; base_l = 80;
module axle(len = track + 20) { color("silver") rotate([90, 0, 0]) cylinder(d = axle_d, h = len, center = true); }
module wheel(d = wheel_d) {
    color([.1, .1, .1]) rotate([90, 0, 0]) difference() {
        cylinder(d = d, h = 8, center = true);
        cylinder(d = axle_d, h = 9, center = true);
        for (a = [0 : 60 : 359]) rotate(a) translate([d / 3, 0, 0]) cylinder(d = 3, h = 9, center = true, $fn = 12);
    }
}
module chassis() {
    difference() {
        union() { translate([0, 0, 6]) cube([base_l, track - 10, 6], center = true);
                  for (x = [-1, 1]) translate([x * base_l / 3, 0, 3]) cube([12, track - 10, 12], center = true); }
        for (x = [-1, 1]) translate([x * base_l / 3, 0, 0]) rotate([90, 0, 0]) cylinder(d = axle_d + clearance, h = track, center = true);
    }
}
chassis();
for (x = [-1, 1]) translate([x * base_l / 3, 0, 0]) {
    axle();
    for (s = [-1, 1]) translate([0, s * (track / 2 + 4), 0]) wheel();
}
