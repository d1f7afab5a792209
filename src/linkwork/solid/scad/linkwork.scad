// What linkwork adds to OpenSCAD's notation, for OpenSCAD itself: put this file beside your texts and write
//   use <linkwork.scad>
// linkwork does not open it: there all of this is built in.

// Marks: they change nothing in OpenSCAD.
module label(name) { children(); }
module gear() { children(); }
module thread(pitch) { children(); }
module screw() { children(); }

// Gears with involute teeth about the origin, a tooth on +x; without h the plane outline.
// linkwork has arcs and the roots that a rack cuts; here flanks are chords, and roots lead straight to the centre.
module involute_gear(teeth, modul, h, pressure_angle = 20, backlash = 0, shift = 0, internal = false, center = false) {
  module outline() {
    if (internal) difference() {
      circle(r = modul * (teeth / 2 + 1.25 + shift + 2.5), $fn = 4 * teeth);
      linkwork_teeth(teeth, modul, pressure_angle, -backlash, shift, 1.25, 1);
    }
    else linkwork_teeth(teeth, modul, pressure_angle, backlash, shift, 1, 1.25);
  }
  if (is_undef(h)) outline();
  else linear_extrude(height = h, center = center) outline();
}

module linkwork_teeth(teeth, modul, angle, backlash, shift, addendum, dedendum, steps = 8) {
  pitch = teeth * modul / 2;
  base = pitch * cos(angle);
  tip = pitch + modul * (addendum + shift);
  root = pitch - modul * (dedendum - shift);
  low = max(base, root);
  half = (modul * (PI / 2 + 2 * shift * tan(angle)) - backlash) / pitch * 90 / PI;
  function involute(a) = tan(a) * 180 / PI - a;
  function half_at(r) = half + involute(angle) - involute(acos(min(1, base / r)));
  function flank(i, side) = let (r = low + (tip - low) * i / steps, a = side * half_at(r)) r * [cos(a), sin(a)];
  circle(r = root, $fn = 4 * teeth);
  for (k = [0:teeth - 1]) rotate(k * 360 / teeth)
    polygon(concat([[0, 0]], [for (i = [0:steps]) flank(i, -1)], [for (i = [steps:-1:0]) flank(i, 1)]));
}

// A rack along x, which is its pitch line, teeth upwards, the first at x = 0; width is what is left behind the teeth.
module rack(teeth, modul, h, width, pressure_angle = 20, backlash = 0, center = false) {
  module outline() {
    pitch = PI * modul;
    thick = pitch / 2 - backlash;
    high = thick / 2 - modul * tan(pressure_angle);
    low = thick / 2 + 1.25 * modul * tan(pressure_angle);
    behind = is_undef(width) ? 2.5 * modul : width;
    translate([-pitch / 2, -1.25 * modul - behind]) square([teeth * pitch, behind]);
    for (k = [0:teeth - 1]) translate([k * pitch, 0])
      polygon([[-low, -1.25 * modul], [low, -1.25 * modul], [high, modul], [-high, modul]]);
  }
  if (is_undef(h)) outline();
  else linear_extrude(height = h, center = center) outline();
}
