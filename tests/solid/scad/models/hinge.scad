/* One leaf of a hinge: knuckles at every second place.
   Parameters first, as people write them. */
leaf_w  = 30;
leaf_l  = 60;
leaf_t  = 3;
knuckle = 8;    // outer diameter
pin     = 3;
count   = 5;
gap     = 0.4;
$fn     = 60;

part = leaf_l / count;

module knuckle(i) {
    translate([0, i * part + gap / 2, knuckle / 2])
        rotate([-90, 0, 0])
            cylinder(d = knuckle, h = part - gap);
}

difference() {
    union() {
        translate([0, 0, 0]) cube([leaf_w, leaf_l, leaf_t]);
        for (i = [0 : 2 : count - 1]) knuckle(i);
    }
    for (i = [1 : 2 : count - 1])
        translate([-knuckle, i * part - gap / 2, -1]) cube([knuckle * 1.6, part + gap, knuckle + 2]);
    translate([0, -1, knuckle / 2]) rotate([-90, 0, 0]) cylinder(d = pin + gap, h = leaf_l + 2);
    for (y = [leaf_l * 0.2, leaf_l * 0.8])
        translate([leaf_w * 0.65, y, -1]) cylinder(d = 4, h = leaf_t + 2);
}
