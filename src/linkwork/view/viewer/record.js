// Recording: what the canvas shows, as a film that the browser saves.

const KINDS = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm"];

function createRecorder(canvas, name, { told, saved, lost }) {
  const kind = typeof MediaRecorder === "function" && canvas.captureStream
    ? KINDS.find((each) => MediaRecorder.isTypeSupported(each)) : undefined;
  let running = null;

  function save(parts) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type: kind }));
    link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "machine"}.${kind.slice(6).split(";")[0]}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    saved();
  }

  function start() {
    const parts = [];
    running = new MediaRecorder(canvas.captureStream(60), { mimeType: kind, videoBitsPerSecond: 12e6 });
    running.addEventListener("dataavailable", (event) => { if (event.data.size) parts.push(event.data); });
    running.addEventListener("stop", () => {
      running = null;
      told(false);
      if (parts.length) save(parts); else lost();
    });
    running.start(500);
    told(true);
  }

  return { offered: kind !== undefined, isRunning: () => running !== null, toggle: () => (running ? running.stop() : start()) };
}
