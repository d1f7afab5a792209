// Lights, shadows and what is behind everything, by day and by night.

const SUN = 1.65, SKY = 2.6; // three.js's strengths of what counts as 1 here
const NIGHT = 0.42; // share of the light that is left in the dark
const SHADOW_SIDE = 2048; // pixels of a shadow
const FOG = 7, THICK_FOG = 4; // times what is seen, where fog begins; times that, where nothing is seen
const CLEAR = 2.5; // times the way to what is looked at, as far as there is no fog
const LEAP = 0.3; // shares of all that is seen by which shadows follow the machine
const BACKGROUNDS = { light: ["#a9c9e8", "#eef3f7"], dark: ["#0d1219", "#27313d"] }; // above, and at the horizon

/** A colour between two, as text. */
const between = (one, other, part) =>
  `#${new THREE.Color(one).lerp(new THREE.Color(other), part).getHexString()}`;

/** The colours above and at the horizon; a background that was asked for is dusky in the dark. */
function backgroundColours() {
  const dark = theme.isDark(), asked = stage.background;
  if (!asked) return BACKGROUNDS[dark ? "dark" : "light"];
  return dark ? [between(asked, "#05080c", 0.93), between(asked, "#0b1016", 0.8)] : [asked, between(asked, "#ffffff", 0.45)];
}

function paintBackground(scene) {
  const [above, horizon] = backgroundColours(), canvas = document.createElement("canvas");
  if (flat) {
    const paper = stage.background && !theme.isDark() ? stage.background : inkOf("paper").fill;
    scene.background = new THREE.Color(paper);
    return;
  }
  canvas.width = 2;
  canvas.height = 256;
  const pen = canvas.getContext("2d"), shades = pen.createLinearGradient(0, 0, 0, 256);
  shades.addColorStop(0, above);
  shades.addColorStop(0.62, horizon);
  shades.addColorStop(1, horizon);
  pen.fillStyle = shades;
  pen.fillRect(0, 0, 2, 256);
  scene.background?.dispose?.();
  scene.background = new THREE.CanvasTexture(canvas);
  scene.background.colorSpace = THREE.SRGBColorSpace;
  scene.fog = new THREE.Fog(horizon, FOG * extent.reach, THICK_FOG * FOG * extent.reach);
}

/** Lets the fog begin behind what is looked at. */
function thinFog(fog, distance) {
  if (!fog) return;
  fog.near = Math.max(FOG * extent.reach, CLEAR * distance);
  fog.far = THICK_FOG * fog.near;
}

/** The lights of a stage that names none. */
function usualLights() {
  const [x, y, z] = extent.middle, r = extent.reach, upZ = stage.up[2] > 0.5;
  const above = flat ? [-0.5, 0.8, 1.6] : upZ ? [0.9, -0.7, 1.5] : [0.9, 1.5, 0.7];
  const at = above.map((value, k) => [x, y, z][k] + value * r);
  return [
    { kind: "sky", placement: 0, at: stage.up, toward: [0, 0, 0], colour: "#ffffff", strength: 0.7, shadow: false },
    { kind: "sun", placement: 0, at, toward: [x, y, z], colour: "#fff3e2", strength: 1.6, shadow: true },
  ];
}

function shadowed(light, reach) {
  light.castShadow = true;
  light.shadow.mapSize.set(SHADOW_SIDE, SHADOW_SIDE);
  light.shadow.bias = -0.0004;
  light.shadow.normalBias = (2.5 * reach) / SHADOW_SIDE;
  light.shadow.intensity = 0.85;
}

/** A sun that stands still shines on all that is seen; one that moves, on what it is turned to. */
function sun({ placement, at, toward, colour, strength, shadow }) {
  const light = new THREE.DirectionalLight(colour, SUN * strength), r = extent.reach;
  const away = at.map((value, k) => value - toward[k]), length = Math.hypot(...away) || 1;
  const target = placement === 0 ? extent.middle : toward;
  light.position.set(...target.map((value, k) => value + (2.5 * r * away[k]) / length));
  light.target.position.set(...target);
  if (shadow) {
    shadowed(light, r);
    Object.assign(light.shadow.camera, { left: -r, right: r, bottom: -r, top: r, near: 0.1 * r, far: 5 * r });
  }
  return light;
}

/** A lamp of strength 1 is as bright as the sun where it is turned to. */
function lamp({ kind, at, toward, colour, strength, shadow }) {
  const distance = Math.hypot(...at.map((value, k) => value - toward[k])) || 1, power = SUN * strength * distance ** 2;
  const light = kind === "spot"
    ? new THREE.SpotLight(colour, power, 0, 0.5, 0.5, 2) : new THREE.PointLight(colour, power, 0, 2);
  light.position.set(...at);
  light.target?.position.set(...toward);
  if (shadow) {
    shadowed(light, distance);
    Object.assign(light.shadow.camera, { near: 0.02 * distance, far: 6 * distance });
  }
  return light;
}

function sky({ colour, strength }) {
  const light = new THREE.HemisphereLight(colour, between(colour, "#8d8676", 0.7), SKY * strength);
  light.position.set(...stage.up);
  return light;
}

/** The lights on their placements; returns what makes them follow light and dark, and shadows the machine. */
function addLights(groups) {
  const makers = { sun, point: lamp, spot: lamp, sky }, made = [], suns = [];
  for (const each of stage.lights.length ? stage.lights : usualLights()) {
    const light = makers[each.kind](each);
    made.push([light, light.intensity]);
    groups[each.placement].add(light);
    if (light.target) groups[each.placement].add(light.target);
    if (each.kind === "sun" && each.placement === 0) suns.push([light, light.position.clone()]);
  }
  return {
    dim() { for (const [light, strength] of made) light.intensity = strength * (theme.isDark() && !flat ? NIGHT : 1); },
    /** Shadows fall where the machine has come to, by leaps: on the way their edges would flicker. */
    follow(gone) {
      const leap = gone.map((value) => LEAP * extent.reach * Math.round(value / (LEAP * extent.reach)));
      for (const [light, position] of suns) {
        light.position.set(position.x + leap[0], position.y + leap[1], position.z + leap[2]);
        light.target.position.set(...extent.middle.map((value, k) => value + leap[k]));
      }
    },
  };
}
