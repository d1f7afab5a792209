// The picture: a scene of three.js, drawn whenever something has changed.

// Where drawing is slow: the share of pixels along an edge, and for how many pictures a shadow must do.
const THRIFT = [
  { pixels: 1, shadows: 1 }, { pixels: 0.8, shadows: 3 }, { pixels: 0.65, shadows: 8 }, { pixels: 0.5, shadows: 24 },
];

/** A renderer, or nothing where the browser has no WebGL; asked for so that nobody complains aloud. */
function createRenderer(canvas) {
  const wishes = { alpha: false, antialias: true, depth: true, stencil: false, powerPreference: "high-performance" };
  const context = canvas.getContext("webgl2", wishes);
  if (!context) return null;
  const renderer = new THREE.WebGLRenderer({ canvas, context, ...wishes });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  if (!flat) renderer.toneMapping = THREE.NeutralToneMapping;
  return renderer;
}

function createPicture(engine, complain) {
  const canvas = byId("picture"), renderer = createRenderer(canvas), camera = renderer && createCamera();
  let numbers = stage.start;
  const matrixOf = (placement) => matrixIn(numbers)(placement);
  const takePlacements = () => { numbers = engine.placements(); };
  if (!renderer) {
    complain("This browser offers no WebGL, so there is no picture. The machine runs, and its plots are drawn.");
    const nothing = () => {};
    return {
      takePlacements, placements: () => numbers, draw: nothing, resize: nothing, save: nothing, traces: { add: nothing, clear: nothing, show: nothing },
      cameras: () => [FREE], camera: () => FREE, choose: nothing, fitAll: nothing, release: () => false, canvas, works: false,
    };
  }
  const scene = new THREE.Scene();
  const groups = stage.placements.map(() => {
    const group = new THREE.Group();
    group.matrixAutoUpdate = false;
    scene.add(group);
    return group;
  });
  addBodies(groups);
  const lights = addLights(groups), traces = addTrails(scene);
  const paintTheme = () => { paintBackground(scene); lights.dim(); renderer.toneMappingExposure = theme.isDark() ? 0.95 : 1; };
  theme.onChange(paintTheme);
  paintTheme();
  canvas.addEventListener("webglcontextlost", () => complain("The graphics of this computer were reset; one moment."));
  canvas.addEventListener("webglcontextrestored", () => complain(""));

  let thrift = 0, drawn = 0;

  function resize(free) {
    const box = canvas.getBoundingClientRect();
    Object.assign(view, { width: Math.max(box.width, 50), height: Math.max(box.height, 50) }, free);
    renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2) * THRIFT[thrift].pixels);
    renderer.setSize(view.width, view.height, false);
  }

  /** Draws less finely, by levels; 0 is all that can be done. */
  function save(level) {
    if (level === thrift) return;
    thrift = level;
    renderer.shadowMap.autoUpdate = level === 0;
    resize();
  }

  function draw() {
    for (let k = 1; k < groups.length; k++) {
      setMatrix(groups[k].matrix, numbers, 12 * k - 12);
      groups[k].matrixWorldNeedsUpdate = true;
    }
    camera.aim(matrixOf);
    thinFog(scene.fog, camera.distance(matrixOf));
    if (stage.live) lights.follow(drift(matrixOf));
    renderer.shadowMap.needsUpdate = drawn++ % THRIFT[thrift].shadows === 0;
    renderer.render(scene, camera.lens);
  }

  return {
    takePlacements, placements: () => numbers, draw, resize, save, canvas, works: true,
    traces: { add: (placementOf = matrixOf) => traces.add(placementOf), clear: traces.clear, show: traces.show },
    cameras: camera.names, camera: camera.name, choose: (name) => camera.choose(name, matrixOf),
    fitAll: () => camera.fitAll(matrixOf), release: () => camera.release(matrixOf),
  };
}
