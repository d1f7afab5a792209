// Bodies: meshes that hang on placements. Objects that differ in colour and place alone are drawn at once.

const geometries = new Map();

function geometryOf(number) {
  if (!geometries.has(number)) {
    const { positions, normals, triangles } = stage.meshes[number], made = new THREE.BufferGeometry();
    made.setAttribute("position", new THREE.BufferAttribute(floats(positions), 3));
    made.setAttribute("normal", new THREE.BufferAttribute(floats(normals), 3));
    made.setIndex(new THREE.BufferAttribute(summed(triangles), 1));
    geometries.set(number, made);
  }
  return geometries.get(number);
}

const materials = new Map();

function materialOf({ opacity = 1, rough = 0.6, metal = 0 }, colour) {
  const key = `${colour} ${opacity} ${rough} ${metal}`;
  if (!materials.has(key)) {
    const clear = opacity < 1;
    materials.set(key, new THREE.MeshStandardMaterial({
      color: colour, roughness: rough, metalness: METAL * metal, side: THREE.DoubleSide,
      transparent: clear, opacity, depthWrite: !clear,
    }));
  }
  return materials.get(key);
}

const METAL = 0.55; // there is nothing around a machine that full metal could reflect

/** Twelve numbers, row by row, as three.js takes them. */
function setMatrix(matrix, m, from = 0) {
  matrix.set(
    m[from], m[from + 1], m[from + 2], m[from + 3], m[from + 4], m[from + 5], m[from + 6], m[from + 7],
    m[from + 8], m[from + 9], m[from + 10], m[from + 11], 0, 0, 0, 1,
  );
  return matrix;
}

/** One body for an object alone. */
function singleBody(object) {
  const body = new THREE.Mesh(geometryOf(object.mesh), materialOf(object, object.colour));
  body.matrixAutoUpdate = false;
  if (object.matrix) setMatrix(body.matrix, object.matrix);
  return body;
}

/** One body for many objects of the same mesh on the same placement, and for objects in many places. */
function manyBodies(objects) {
  const places = objects.flatMap(({ instances, matrix, colour }) =>
    (instances ?? [matrix ?? standing]).map((each) => ({ each, own: instances && matrix, colour })));
  const body = new THREE.InstancedMesh(geometryOf(objects[0].mesh), materialOf(objects[0], "#ffffff"), places.length);
  const one = new THREE.Matrix4(), outer = new THREE.Matrix4(), colour = new THREE.Color();
  places.forEach(({ each, own, colour: name }, k) => {
    setMatrix(one, each);
    if (own) one.premultiply(setMatrix(outer, own));
    body.setMatrixAt(k, one);
    body.setColorAt(k, colour.set(name));
  });
  body.frustumCulled = false;
  return body;
}

/** Everything that is seen, on the groups of the placements. */
function addBodies(groups) {
  const alike = new Map();
  for (const object of stage.objects) {
    const key = [object.placement, object.mesh, object.opacity, object.rough, object.metal, object.shadow].join();
    if (!alike.has(key)) alike.set(key, []);
    alike.get(key).push(object);
  }
  for (const objects of alike.values()) {
    const [first] = objects, alone = objects.length === 1 && !first.instances;
    const body = alone ? singleBody(first) : manyBodies(objects);
    body.castShadow = body.receiveShadow = first.shadow !== false;
    if (first.opacity < 1) body.castShadow = false;
    groups[first.placement].add(body);
  }
}
