// A derivation page without this script is complete; with it, a name shows its formula under the pointer,
// code can be copied, folded code is printed, and formulas too wide for the screen or the paper become smaller.

const PAPER = 620; // CSS pixels: the width of a sheet of A4 or Letter between its margins, with room to spare
const SMALLEST = 0.75; // on a screen, where the rest can be scrolled into view
const SMALLEST_PRINT = 0.3; // on paper, where it cannot

const tip = document.createElement("div");
tip.className = "tip";
tip.setAttribute("role", "tooltip");
tip.hidden = true;
document.body.append(tip);

function definitionOf(link) {
  return document.getElementById(decodeURIComponent(link.getAttribute("href").slice(1)));
}

// "b = 7 cm, length of the frame" of what is given, the equation of what is defined.
function contentOf(definition) {
  const shown = document.createElement("div");
  const add = (part) => { for (const node of part.childNodes) shown.append(node.cloneNode(true)); };
  if (definition.matches("tr")) {
    const [symbol, meaning, value, unit] = definition.cells;
    add(symbol);
    if (value.textContent) shown.append(` = ${value.textContent} ${unit.textContent}`);
    if (meaning.textContent) shown.append(", ");
    add(meaning);
  } else {
    for (const part of definition.children) {
      if (part.matches(".left:not(.explicit), .equals:not(.explicit), .right:not(.explicit)")) {
        add(part);
        shown.append(" ");
      }
    }
  }
  for (const link of shown.querySelectorAll("a")) link.removeAttribute("href");
  return shown;
}

function show(link) {
  const definition = definitionOf(link);
  if (!definition || !definition.matches(".equation, tr") || definition.contains(link)) return;
  tip.replaceChildren(contentOf(definition));
  tip.hidden = false;
  const at = link.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const left = Math.min(Math.max(12, at.left), document.documentElement.clientWidth - own.width - 12);
  const above = at.top - own.height - 8;
  tip.style.left = `${Math.max(12, left) + scrollX}px`;
  tip.style.top = `${(above > 4 ? above : at.bottom + 8) + scrollY}px`;
}

function hide() {
  tip.hidden = true;
}

for (const link of document.querySelectorAll('a[href^="#"]')) {
  link.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && show(link));
  link.addEventListener("pointerleave", hide);
  link.addEventListener("focus", () => link.matches(":focus-visible") && show(link));
  link.addEventListener("blur", hide);
  link.addEventListener("click", hide);
}
addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

for (const button of document.querySelectorAll(".code button")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await copy(button.parentElement.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const block of folded) block.open = true;
});
addEventListener("afterprint", () => { for (const block of folded) block.open = false; });

function widest(side) {
  return Math.max(0, ...[...side.children].map((term) => term.getBoundingClientRect().width));
}

for (const line of document.querySelectorAll(".equation")) {
  const [left, right] = ["left", "right"].map((side) => widest(line.querySelector(`.${side}`)));
  const width = line.matches(".wide") ? Math.max(left, right) : left + right;
  if (width > PAPER) line.style.setProperty("--fit", Math.max(SMALLEST_PRINT, PAPER / width).toFixed(3));
}

function fitToScreen() {
  const sides = [...document.querySelectorAll(".right")];
  for (const side of sides) side.style.removeProperty("--screen");
  const shares = sides.map((side) => side.clientWidth / side.scrollWidth);
  sides.forEach((side, place) => {
    if (shares[place] < 1) side.style.setProperty("--screen", Math.max(SMALLEST, 0.98 * shares[place]).toFixed(3));
  });
}

fitToScreen();
addEventListener("resize", fitToScreen);
