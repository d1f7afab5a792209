// Where the machine is: the corners of what moves, boxes around them, and how far all of it has come since the start.

const MOST_PLACES = 100; // of an object in many places that are looked at

/** The corners of the box around points. */
function cornersOf(positions) {
  const low = [Infinity, Infinity, Infinity], high = low.map((value) => -value);
  positions.forEach((value, k) => {
    low[k % 3] = Math.min(low[k % 3], value);
    high[k % 3] = Math.max(high[k % 3], value);
  });
  return boxCorners({ low, high });
}

const boxCorners = ({ low, high }) =>
  Array.from({ length: 8 }, (_, corner) => low.map((value, k) => (corner & (1 << k) ? high[k] : value)));

let moving = null;

/** The corners of what each placement carries, in its own axes, and their middle. */
function movingThings() {
  const isMoving = ({ placement }) => placement > 0 && !stage.live?.standing?.includes(placement);
  moving ??= stage.objects.filter(isMoving).map(({ placement, mesh, matrix, instances }) => {
    const box = cornersOf(floats(stage.meshes[mesh].positions)), places = instances ?? [matrix ?? standing];
    const some = places.filter((_, k) => k % Math.ceil(places.length / MOST_PLACES) === 0);
    const points = some.flatMap((place) => box.map((corner) => movedBy(place, corner)));
    return { placement, points, middle: [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length) };
  });
  return moving;
}

/** Where a placement is, by twelve numbers for each. */
const matrixIn = (numbers) => (placement) => (placement === 0 ? standing : numbers.slice(12 * placement - 12, 12 * placement));

/** A box that is widened by the corners of what moves, as an eye sees them that has come along so far. */
function wideningBox(low, high) {
  return {
    low: [...low], high: [...high],
    add(matrixOf, gone = [0, 0, 0]) {
      for (const { placement, points } of movingThings()) {
        const matrix = matrixOf(placement);
        for (const point of points) movedBy(matrix, point).forEach((value, k) => {
          this.low[k] = Math.min(this.low[k], value - gone[k]);
          this.high[k] = Math.max(this.high[k], value - gone[k]);
        });
      }
      return this;
    },
  };
}

const emptyBox = () => wideningBox([Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]);

/** How far the middle of all that moves has come since the start. */
function drift(matrixOf) {
  const gone = [0, 0, 0], things = movingThings(), atStart = matrixIn(stage.start);
  for (const { placement, middle } of things) {
    const now = movedBy(matrixOf(placement), middle), then = movedBy(atStart(placement), middle);
    for (let k = 0; k < 3; k++) gone[k] += (now[k] - then[k]) / things.length;
  }
  return gone;
}

/** How far the machine has come, if it has left what is seen at the start. */
function goneAway(matrixOf) {
  const now = emptyBox().add(matrixOf), middle = now.low.map((value, k) => (value + now.high[k]) / 2);
  return middle.some((value, k) => value < extent.low[k] || value > extent.high[k]) ? drift(matrixOf) : [0, 0, 0];
}
