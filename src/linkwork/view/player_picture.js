// The picture: where bodies are between frames, what the eye sees of them, and how it is painted.
// Shapes, colours and sizes come from Python with the scene; here they are only moved and painted.

const scene = JSON.parse(document.getElementById("scene").textContent);
const flat = scene.dimension === 2;
const poseLength = flat ? 3 : 7;

/** What the reader has chosen: where the motion stands, what is shown, from where it is seen. */
const state = {
  at: 0, playing: false, speed: 1, mode: "loop", forward: true,
  traces: "whole", labels: true, pushes: true, highlight: null,
  scale: 1, x: 0, y: 0, fitted: true,
  azimuth: scene.camera?.azimuth, elevation: scene.camera?.elevation,
};

const inkOf = (name) => scene.inks[theme.isDark() ? "dark" : "light"][name];
const lastFrame = scene.poses.length - 1;

/** The pose of a body at a place between two frames. Quaternions take the shorter way. */
function poseAt(body, at) {
  const frame = Math.min(Math.floor(at), lastFrame), part = at - frame;
  const from = body * poseLength, first = scene.poses[frame];
  const pose = first.slice(from, from + poseLength);
  if (part === 0) return pose;
  const second = scene.poses[frame + 1];
  let turn = 1;
  if (!flat) {
    let agreement = 0;
    for (let k = 3; k < 7; k++) agreement += pose[k] * second[from + k];
    turn = agreement < 0 ? -1 : 1;
  }
  for (let k = 0; k < poseLength; k++) {
    pose[k] = (1 - part) * pose[k] + part * (k < 3 ? 1 : turn) * second[from + k];
  }
  return pose;
}

/** The three rows of the rotation of a pose in space, and its shift. */
function matrixOf(pose) {
  const size = Math.hypot(pose[3], pose[4], pose[5], pose[6]);
  const [w, x, y, z] = pose.slice(3).map((part) => part / size);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), pose[0],
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), pose[1],
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pose[2],
  ];
}

const moved = (m, x, y, z) => [
  m[0] * x + m[1] * y + m[2] * z + m[3],
  m[4] * x + m[5] * y + m[6] * z + m[7],
  m[8] * x + m[9] * y + m[10] * z + m[11],
];

/** Right, up and towards the eye, in the world. */
function cameraAxes() {
  const ca = Math.cos(state.azimuth), sa = Math.sin(state.azimuth);
  const ce = Math.cos(state.elevation), se = Math.sin(state.elevation);
  return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
}

const worldAxes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const seenBy = (axes, point) => axes.map((axis) => dot(axis, point));

/** A body's point at a place between two frames, in the plane of the picture, with its nearness. */
function pointAt(body, point, at, axes) {
  const pose = poseAt(body, at);
  if (!flat) return seenBy(axes, moved(matrixOf(pose), ...point));
  const c = Math.cos(pose[2]), s = Math.sin(pose[2]);
  return [pose[0] + c * point[0] - s * point[1], pose[1] + s * point[0] + c * point[1], 0];
}

/** Left, bottom, right, top of all frames, as seen now. */
function bounds() {
  const axes = flat ? null : cameraAxes();
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const take = ([x, y]) => {
    box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
  };
  const step = Math.max(1, Math.floor(lastFrame / 200));
  scene.reach.forEach((points, body) => {
    for (let frame = 0; frame <= lastFrame; frame += step) {
      for (const point of points) take(pointAt(body, point, frame, axes));
    }
  });
  if (!flat) {
    const { xs, ys, height } = scene.floor;
    for (const x of [xs[0], xs.at(-1)]) for (const y of [ys[0], ys.at(-1)]) take(seenBy(axes, [x, y, height]));
  }
  return Number.isFinite(box[0]) ? box : [-1, -1, 1, 1];
}

const canvas = document.getElementById("picture");
const pen = canvas.getContext("2d");
const room = { top: 14, side: 14, bottom: 44 };
let width = 1, height = 1, sharpness = 1;

function fit() {
  const [left, bottom, right, top] = bounds();
  const wide = Math.max(right - left, 1e-12), tall = Math.max(top - bottom, 1e-12);
  const across = Math.max(width - 2 * room.side, 1), up = Math.max(height - room.top - room.bottom, 1); // a box may have no room
  state.scale = Math.min(across / wide, up / tall);
  state.x = (left + right) / 2;
  state.y = (bottom + top) / 2 - (room.bottom - room.top) / 2 / state.scale;
  state.fitted = true;
}

function resize() {
  const box = canvas.getBoundingClientRect();
  width = Math.max(box.width, 50);
  height = Math.max(box.height, 50);
  sharpness = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharpness);
  canvas.height = Math.round(height * sharpness);
  if (state.fitted) fit();
}

const pixelX = (x) => width / 2 + (x - state.x) * state.scale;
const pixelY = (y) => height / 2 - (y - state.y) * state.scale;

/** Draw in pixels of the page from here on. */
const inPixels = () => pen.setTransform(sharpness, 0, 0, sharpness, 0, 0);

function finish(path, ink, lineScale, closed) {
  if (ink.fill && closed) { pen.fillStyle = ink.fill; pen.fill(path, "evenodd"); }
  if (ink.stroke) { pen.strokeStyle = ink.stroke; pen.lineWidth = ink.width * lineScale; pen.stroke(path); }
}

function paintText(text, x, y, ink, align = "left") {
  pen.font = `${ink.bold ? 600 : 400} ${ink.size}px ${scene.font}`;
  pen.textAlign = align;
  if (ink.stroke) { pen.strokeStyle = ink.stroke; pen.lineWidth = ink.width; pen.strokeText(text, x, y); }
  pen.fillStyle = ink.fill;
  pen.fillText(text, x, y);
}

const dimmed = (body) => state.highlight !== null && state.highlight !== body;

/** A polyline or polygon, given in pixels. */
function pathOf(points, closed = false) {
  const path = new Path2D();
  points.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
  if (closed) path.closePath();
  return path;
}

/** A trace's points in pixels, with their nearness; its path in the world is found once. */
function tracePoints(trace, axes) {
  if (state.traces === "off") return [];
  trace.path ??= scene.poses.map((_, frame) => pointAt(trace.body, trace.point, frame, worldAxes));
  const until = state.traces === "whole" ? lastFrame : state.at;
  const points = trace.path.slice(0, Math.floor(until) + 1);
  if (until % 1) points.push(pointAt(trace.body, trace.point, until, worldAxes));
  return points.map((point) => {
    const [x, y, near] = flat ? point : seenBy(axes, point);
    return [pixelX(x), pixelY(y), near];
  });
}

/** The lines of a connector in pixels, each with the nearness of its points. */
function connectorLines(one, axes) {
  const [x1, y1, near1] = pointAt(one.first.body, one.first.point, state.at, axes);
  const [x2, y2, near2] = pointAt(one.second.body, one.second.point, state.at, axes);
  const dx = x2 - x1, dy = y2 - y1, length = Math.hypot(dx, dy);
  if (one.kind === "belt") return [beltPoints(x1, y1, one.first.radius, dx, dy, length, one.second.radius)];
  const ux = length ? dx / length : 1, uy = length ? dy / length : 0;
  return one.lines.map((line) => line.map(([part, offset, aside]) => [
    pixelX(x1 + part * dx + ux * offset - uy * aside),
    pixelY(y1 + part * dy + uy * offset + ux * aside),
    near1 + part * (near2 - near1),
  ]));
}

/** An open belt: arcs around both pulleys between the points where the outer tangents touch. */
function beltPoints(x1, y1, r1, dx, dy, length, r2) {
  const touch = Math.acos(Math.max(-1, Math.min(1, (r1 - r2) / (length || 1)))), heading = Math.atan2(dy, dx);
  const points = [];
  const arc = (x, y, r, start, end) => {
    for (let k = 0; k <= 32; k++) {
      const turn = start + ((end - start) * k) / 32;
      points.push([pixelX(x + r * Math.cos(turn)), pixelY(y + r * Math.sin(turn)), 0]);
    }
  };
  arc(x1, y1, r1, heading + touch, heading + 2 * Math.PI - touch);
  arc(x1 + dx, y1 + dy, r2, heading - touch, heading + touch);
  return points;
}

// ---- The plane: parts in a fixed order of layers, connectors and traces among them -------------------

if (flat) {
  for (const part of scene.parts) {
    part.path = new Path2D();
    for (const ring of part.rings ?? []) {
      for (let k = 0; k < ring.length; k += 2) part.path[k ? "lineTo" : "moveTo"](ring[k], ring[k + 1]);
      if (part.closed) part.path.closePath();
    }
    if (part.radius !== undefined) part.path.arc(part.at[0], part.at[1], part.radius, 0, 2 * Math.PI);
  }
}

function paintPart(part, poses) {
  const [x, y, angle] = poses[part.body];
  const s = state.scale * sharpness, c = Math.cos(angle) * s, n = Math.sin(angle) * s;
  pen.globalAlpha = dimmed(part.body) ? 0.25 : 1;
  if (part.text === undefined) {
    pen.setTransform(c, -n, -n, -c, pixelX(x) * sharpness, pixelY(y) * sharpness);
    finish(part.path, inkOf(part.ink), 1 / state.scale, part.closed ?? true);
  } else if (state.labels) {
    const [px, py] = pointAt(part.body, part.at, state.at);
    inPixels();
    paintText(part.text, pixelX(px) + part.shift[0], pixelY(py) - part.shift[1], inkOf(part.ink));
  }
  pen.globalAlpha = 1;
}

function paintPlane() {
  const poses = scene.bodies.map((_, body) => poseAt(body, state.at));
  const between = scene.layers;
  let next = 0;
  const upTo = (layer) => {
    while (next < scene.parts.length && scene.parts[next].layer < layer) paintPart(scene.parts[next++], poses);
    inPixels();
  };
  upTo(between.connector + 1);
  for (const one of scene.connectors) {
    const closed = one.kind === "belt";
    for (const line of connectorLines(one)) finish(pathOf(line, closed), inkOf(one.kind), 1, false);
  }
  upTo(between.trace + 1);
  for (const trace of scene.traces) finish(pathOf(tracePoints(trace)), inkOf(trace.ink), 1, false);
  upTo(between.pin + 1);
  if (state.traces !== "off") for (const trace of scene.traces) paintSpot(trace);
  upTo(Infinity);
  if (state.pushes && scene.pushes.length) paintPushes(scene.pushes[Math.round(state.at)]);
}

/** Half the width of a shaft and of a head, the length of a head, the radius of a spot: never too thin to be seen. */
const arrowSizes = () => scene.arrow.map((size) => size * Math.max(1, 1.6 / (scene.arrow[0] * state.scale)));

/** An arrow as a ring of points: the same as in pictures. */
function arrowOutline(x, y, dx, dy) {
  const length = Math.hypot(dx, dy), [ux, uy] = [dx / length, dy / length];
  const [shaft, wide, long] = arrowSizes(), head = Math.min(long, 0.6 * length);
  const aside = (head / long) * wide, half = Math.min(shaft, aside / 2);
  const at = (along, left) => [pixelX(x + along * ux - left * uy), pixelY(y + along * uy + left * ux)];
  return pathOf([
    at(0, half), at(length - head, half), at(length - head, aside), at(length, 0),
    at(length - head, -aside), at(length - head, -half), at(0, -half),
  ], true);
}

/** Where bodies touch, and the forces on both. */
function paintPushes(pushes) {
  for (const [x, y, dx, dy, first, second] of pushes) {
    if (!dx && !dy) continue;
    finish(arrowOutline(x, y, dx, dy), inkOf(first), 1, true);
    finish(arrowOutline(x, y, -dx, -dy), inkOf(second), 1, true);
  }
  for (const [x, y] of pushes) {
    const path = new Path2D();
    path.arc(pixelX(x), pixelY(y), arrowSizes()[3] * state.scale, 0, 2 * Math.PI);
    finish(path, inkOf("contact"), 1, true);
  }
}

function paintSpot(trace, axes) {
  const [x, y] = pointAt(trace.body, trace.point, state.at, axes);
  const path = new Path2D();
  path.arc(pixelX(x), pixelY(y), scene.spot * state.scale, 0, 2 * Math.PI);
  finish(path, inkOf(trace.spot), 1, true);
}

// ---- Space: faces turned to the eye, outlines, balls, lines; far ones first --------------------------

/** All pieces of a body: [nearness, function that paints it]. */
function piecesOf(body, axes, seen, shadow) {
  const mesh = scene.meshes[body], m = matrixOf(poseAt(body, state.at));
  const xs = [], ys = [], near = [], ground = [];
  for (let k = 0; k < mesh.vertices.length; k += 3) {
    const world = moved(m, mesh.vertices[k], mesh.vertices[k + 1], mesh.vertices[k + 2]);
    const [x, y, depth] = seenBy(axes, world);
    xs.push(pixelX(x)); ys.push(pixelY(y)); near.push(depth);
    const [gx, gy] = seenBy(axes, [world[0], world[1], scene.floor.height]);
    ground.push([pixelX(gx), pixelY(gy)]);
  }
  const still = m.map((part, k) => (k % 4 === 3 ? 0 : part));
  const facing = [], shade = [], upward = [];
  for (let k = 0; k < mesh.normals.length; k += 3) {
    const world = moved(still, mesh.normals[k], mesh.normals[k + 1], mesh.normals[k + 2]);
    const normal = seenBy(axes, world);
    const lit = scene.ambient + (1 - scene.ambient) * Math.max(0, dot(normal, scene.light));
    facing.push(normal[2] > 1e-9); shade.push(Math.round(lit * (scene.shades - 1))); upward.push(world[2] > 0.02);
  }
  const faint = dimmed(body);
  const depths = mesh.faces.map(([, , ...corners]) => corners.reduce((sum, k) => sum + near[k], 0) / corners.length);
  mesh.faces.forEach((face, number) => {
    const [family, normal, ...corners] = face;
    if (upward[normal]) {
      corners.forEach((k, n) => (n ? shadow.lineTo(...ground[k]) : shadow.moveTo(...ground[k])));
      shadow.closePath();
    }
    if (!facing[normal]) return;
    const ink = inkOf(`${mesh.families[family]}-${shade[normal]}`);
    seen.push([depths[number], () => {
      pen.beginPath();
      corners.forEach((k, n) => (n ? pen.lineTo(xs[k], ys[k]) : pen.moveTo(xs[k], ys[k])));
      pen.closePath();
      pen.globalAlpha = faint ? 0.2 : 1;
      pen.fillStyle = ink.fill; pen.fill();
      if (!faint) { pen.strokeStyle = ink.stroke; pen.lineWidth = ink.width; pen.stroke(); }
      pen.globalAlpha = 1;
    }]);
  });
  pushEdges(mesh, facing, depths, xs, ys, faint, seen);
  for (const ball of mesh.balls) pushBall(ball, xs[ball.center], ys[ball.center], near[ball.center], faint, seen);
  return mesh.tags.map((tag) => [tag.text, xs[tag.at], ys[tag.at], faint]);
}

function pushEdges(mesh, facing, depths, xs, ys, faint, seen) {
  const ink = inkOf("edge");
  for (const [start, end, sharp, ...faces] of mesh.edges) {
    const visible = faces.filter((number) => facing[mesh.faces[number][1]]);
    if (!visible.length || (!sharp && visible.length === faces.length)) continue;
    const depth = Math.max(...visible.map((number) => depths[number])) + scene.edgeNearer;
    seen.push([depth, () => {
      pen.globalAlpha = faint ? 0.2 : 1;
      pen.strokeStyle = ink.stroke; pen.lineWidth = ink.width;
      pen.beginPath(); pen.moveTo(xs[start], ys[start]); pen.lineTo(xs[end], ys[end]); pen.stroke();
      pen.globalAlpha = 1;
    }]);
  }
}

function pushBall(ball, x, y, near, faint, seen) {
  seen.push([near + scene.ballNearer * ball.radius, () => {
    pen.globalAlpha = faint ? 0.2 : 1;
    for (const [offsetX, offsetY, size, ink] of ball.circles) {
      const path = new Path2D(), radius = ball.radius * state.scale;
      path.arc(x + offsetX * radius, y - offsetY * radius, size * radius, 0, 2 * Math.PI);
      finish(path, inkOf(ink), 1, true);
    }
    pen.globalAlpha = 1;
  }]);
}

function pushLine(points, ink, seen) {
  for (let k = 0; k + 1 < points.length; k++) {
    const depth = (points[k][2] + points[k + 1][2]) / 2;
    seen.push([depth, () => finish(pathOf([points[k], points[k + 1]]), ink, 1, false)]);
  }
}

function paintFloor(axes) {
  const { xs, ys, height: z } = scene.floor;
  const path = new Path2D();
  const line = (from, to) => {
    const [a, b] = [seenBy(axes, from), seenBy(axes, to)];
    path.moveTo(pixelX(a[0]), pixelY(a[1])); path.lineTo(pixelX(b[0]), pixelY(b[1]));
  };
  for (const x of xs) line([x, ys[0], z], [x, ys.at(-1), z]);
  for (const y of ys) line([xs[0], y, z], [xs.at(-1), y, z]);
  finish(path, inkOf("grid"), 1, false);
}

function paintSpace() {
  const axes = cameraAxes(), seen = [], shadow = new Path2D(), tags = [];
  inPixels();
  paintFloor(axes);
  scene.bodies.forEach((_, body) => tags.push(...piecesOf(body, axes, seen, shadow)));
  pen.fillStyle = inkOf("shadow").fill;
  pen.fill(shadow);
  for (const one of scene.connectors) {
    for (const line of connectorLines(one, axes)) pushLine(line, inkOf(one.kind), seen);
  }
  for (const trace of scene.traces) {
    pushLine(tracePoints(trace, axes), inkOf(trace.ink), seen);
    if (state.traces === "off") continue;
    seen.push([Infinity, () => paintSpot(trace, axes)]);
  }
  seen.sort((a, b) => a[0] - b[0]);
  for (const [, paint] of seen) paint();
  if (state.labels) for (const [text, x, y, faint] of tags) if (!faint) paintText(text, x + 10, y - 10, inkOf("label"));
  paintAxes(axes);
}

function paintAxes(axes) {
  const x0 = room.side + 26, y0 = height - room.bottom - 22, ink = inkOf("scale");
  ["x", "y", "z"].forEach((name, k) => {
    const dx = axes[0][k], dy = -axes[1][k];
    finish(pathOf([[x0, y0], [x0 + 22 * dx, y0 + 22 * dy]]), ink, 1, false);
    paintText(name, x0 + 31 * dx, y0 + 31 * dy + 4, inkOf("legend"), "center");
  });
}

function paintScaleBar() {
  const length = roundLength(84 / state.scale), right = width - room.side, y = height - 14;
  const left = right - length * state.scale;
  finish(pathOf([[left, y - 4], [left, y], [right, y], [right, y - 4]]), inkOf("scale"), 1, false);
  const text = `${+length.toPrecision(6)} ${scene.unit}`.trim();
  paintText(text, (left + right) / 2, y - 6, inkOf("legend"), "center");
}

function paintPicture() {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.lineJoin = pen.lineCap = "round";
  pen.fillStyle = inkOf("paper").fill;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  if (flat) paintPlane(); else paintSpace();
  inPixels();
  paintScaleBar();
}
