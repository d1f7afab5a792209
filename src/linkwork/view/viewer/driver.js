// Time: real seconds become seconds of the machine. What a slow computer cannot catch up with is dropped, so the
// machine goes on in slow motion, and never further and further behind.

const SLICE = 1 / 30; // seconds that the engine is asked for at once, at most
const SHORTEST_SLICE = 1e-4; // and at least
const BUDGET = 0.03; // real seconds of computing for one picture
const LONGEST_LAG = 0.3; // real seconds between two pictures that are made up for
const MEMORY = 0.1; // share of the latest picture in the mean interval
const MEASURED = 1.5; // real seconds over which the pace is measured
const LEAST_MEASURED = 0.3; // and at least; before that it counts as 1

/** The share of real time that was shown in the last pictures. */
function createPace() {
  const pictures = [];
  let real = 0, shown = 0;
  return {
    clear() { pictures.length = real = shown = 0; },
    add(elapsed, done) {
      pictures.push([elapsed, done]);
      real += elapsed;
      shown += done;
      while (real - pictures[0][0] > MEASURED) {
        const [oldElapsed, oldDone] = pictures.shift();
        real -= oldElapsed;
        shown -= oldDone;
      }
      return real < LEAST_MEASURED ? 1 : Math.min(1, shown / real);
    },
  };
}

function createDriver(engine, { picture, stepped, stopped }) {
  const pace = createPace();
  let before = null, slice = SLICE, asked = false;
  const driver = { playing: false, speed: 1, pace: 1, interval: 0, mode: "loop", advance, play, pause, refresh };

  const real = () => performance.now() / 1000;

  /** As many of these seconds as the budget allows; returns how many. */
  function catchUp(seconds) {
    const began = real();
    let left = seconds;
    while (left > 1e-12) {
      const dt = Math.min(left, slice), start = real();
      engine.step(dt);
      stepped();
      left -= dt;
      const took = real() - start;
      if (took > BUDGET / 2) slice = Math.max(slice / 2, SHORTEST_SLICE);
      else if (took < BUDGET / 8) slice = Math.min(slice * 2, SLICE);
      if (real() - began > BUDGET) break;
    }
    return seconds - Math.max(left, 0);
  }

  /** Exactly these seconds, however long it takes. */
  function advance(seconds) {
    const slices = Math.max(1, Math.ceil(seconds / SLICE - 1e-9));
    for (let k = 0; k < slices; k++) {
      engine.step(seconds / slices);
      stepped();
    }
  }

  function go(elapsed) {
    const wanted = Math.min(elapsed, LONGEST_LAG) * driver.speed;
    driver.interval += MEMORY * (elapsed - driver.interval);
    if (!(wanted > 0)) return;
    const done = catchUp(wanted);
    driver.pace = pace.add(elapsed, done / driver.speed);
    if (engine.time < engine.last) return;
    if (driver.mode === "loop" && engine.last > engine.first) engine.seek(engine.first); else pause();
  }

  function tick(now) {
    asked = false;
    if (driver.playing) {
      try {
        if (before !== null) go(now / 1000 - before);
      } catch (problem) {
        pause();
        stopped(problem);
      }
      before = now / 1000;
      if (driver.playing) refresh();
    } else before = null;
    picture();
  }

  /** Paint with the next frame of the screen. */
  function refresh() {
    if (!asked) { asked = true; requestAnimationFrame(tick); }
  }

  function play() {
    if (driver.playing || engine.last === engine.first) return;
    if (engine.time >= engine.last) engine.reset();
    driver.playing = true;
    driver.pace = 1;
    pace.clear();
    driver.interval = 0;
    before = null;
    showPlaying(true);
    refresh();
  }

  function pause() {
    driver.playing = false;
    before = null;
    showPlaying(false);
    refresh();
  }

  document.addEventListener("visibilitychange", () => { before = null; pace.clear(); }); // who sleeps is not slow
  return driver;
}
