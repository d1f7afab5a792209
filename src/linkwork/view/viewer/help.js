// Help: the keys, in two columns over the picture.

const LANGUAGES = { javascript: "Computes in JavaScript.", webassembly: "Computes in WebAssembly." };

function showHelp(shortcuts) {
  const list = byId("keys");
  if (!list.childElementCount) {
    const add = (keys, text) => {
      const term = document.createElement("dt"), meaning = document.createElement("dd");
      keys.forEach((key) => { const sign = document.createElement("kbd"); sign.append(keySign(key)); term.append(sign); });
      meaning.append(text);
      list.append(term, meaning);
    };
    for (const { name, keys } of steering) if (keys?.length) add(keys, name);
    for (const { key, label } of shortcuts) add([key], label);
    add(["drag"], flat ? "move the picture" : "turn; with shift or two fingers, move");
    add(["wheel"], "nearer, farther");
    if (steering.length) add(["gamepad"], "its sticks steer");
    byId("about").textContent = LANGUAGES[computing.language] ?? "";
  }
  byId("help-text").hidden = !byId("help-text").hidden;
}
