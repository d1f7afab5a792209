// Traces: the paths of points, as ribbons of constant width.

const LONGEST_TRACE = 6000; // segments
const TRACE_WIDTH = 2.6; // pixels

class Trail {
  constructor({ placement, point, colour }, scene) {
    Object.assign(this, { placement, point, count: 0, next: 0, last: null });
    this.geometry = new THREE.LineSegmentsGeometry();
    this.numbers = new Float32Array(6 * LONGEST_TRACE);
    this.geometry.setPositions(this.numbers);
    this.buffer = this.geometry.attributes.instanceStart.data;
    this.buffer.setUsage(THREE.DynamicDrawUsage);
    this.geometry.instanceCount = 0;
    this.line = new THREE.LineSegments2(
      this.geometry, new THREE.LineMaterial({ color: colour, linewidth: TRACE_WIDTH, transparent: true, opacity: 0.9 }));
    this.line.frustumCulled = false;
    scene.add(this.line);
  }

  clear() {
    this.count = this.next = this.geometry.instanceCount = 0;
    this.last = null;
  }

  /** Goes on to where the point is now; the oldest segments make room for new ones. */
  add(matrix) {
    const here = movedBy(matrix, this.point), { last } = this;
    if (last && Math.hypot(here[0] - last[0], here[1] - last[1], here[2] - last[2]) < 1e-3 * extent.reach) return;
    if (last) {
      this.buffer.array.set([...last, ...here], 6 * this.next);
      this.next = (this.next + 1) % LONGEST_TRACE;
      this.count = Math.min(this.count + 1, LONGEST_TRACE);
      this.geometry.instanceCount = this.count;
      this.buffer.needsUpdate = true;
    }
    this.last = here;
  }
}

function addTrails(scene) {
  const trails = stage.traces.map((each) => new Trail(each, scene));
  return {
    add(matrixOf) { for (const trail of trails) trail.add(matrixOf(trail.placement)); },
    clear() { for (const trail of trails) trail.clear(); },
    show(on) { for (const trail of trails) trail.line.visible = on; },
  };
}
