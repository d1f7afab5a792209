// Makes one classic script of what three.js (the file) exports, small and with its licence: node build.mjs OUT
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const [out] = process.argv.slice(2);
if (!out) throw new Error("say where the script goes: node build.mjs OUT");
const { version } = JSON.parse(readFileSync("node_modules/three/package.json", "utf8"));
const licence = readFileSync("node_modules/three/LICENSE", "utf8").trim();

await build({
  entryPoints: ["three.js"],
  outfile: out,
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "THREE",
  target: "es2022",
  charset: "ascii",
  legalComments: "none", // the licence below says it once
  banner: { js: `/*! three.js ${version}\n${licence}\n*/` },
});
