// Mouse and fingers on the picture: turn, shift, zoom. Whoever does so takes the camera over.

function followFingers(picture, changed) {
  const { canvas } = picture, fingers = new Map();
  const takeCamera = () => { if (picture.release()) changed(true); };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    document.activeElement?.blur();
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const here = [event.offsetX, event.offsetY], dx = here[0] - last[0], dy = here[1] - last[1];
    if (!dx && !dy) return;
    takeCamera();
    if (fingers.size === 2) {
      const [other] = [...fingers.entries()].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const apart = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
      shiftView(dx / 2, dy / 2);
      zoomView(apart(here) / apart(last), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
    } else if (flat || event.shiftKey || event.buttons & 6) shiftView(dx, dy);
    else turnView(dx, dy);
    fingers.set(event.pointerId, here);
    changed(false);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    takeCamera();
    zoomView(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
    changed(false);
  }, { passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
}
