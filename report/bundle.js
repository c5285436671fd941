// node bundle.js FOLDER: writes page.html, one file with style and scripts, and LICENSES.txt. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [folder] = process.argv.slice(2);

// A path of a source file that went into the bundle, as the package that it belongs to.
const packageOf = (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

function licenceOf(name) {
  const root = join("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const file = readdirSync(root).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  return { name, version, license, text: file ? readFileSync(join(root, file), "utf8").trim() : `Licence: ${license}` };
}

// Over all that the page is made of. tests/report/bundle computes it anew and compares.
function sourcesHash() {
  const sources = readdirSync("src", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const hash = createHash("sha256");
  for (const file of [...sources, "bundle.js", "package.json", "package-lock.json"].sort()) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest("hex");
}

const common = { bundle: true, minify: true, write: false, charset: "utf8", legalComments: "none", logLevel: "warning" };
const script = await build({ ...common, entryPoints: ["src/main.js"], format: "iife", target: "es2022", metafile: true });
const style = await build({ ...common, entryPoints: ["src/style.css"], target: "es2022" });
const packages = [...new Set(Object.keys(script.metafile.inputs).map(packageOf).filter(Boolean))].sort().map(licenceOf);

const licences = packages.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`).join("\n\n");

const parts = {
  sources: sourcesHash(),
  style: style.outputFiles[0].text.trim(),
  // Copies of these libraries carry their licences; two hyphens would end the comment that holds them.
  licences: licences.replaceAll("--", "\u2013"),
  script: script.outputFiles[0].text.trim(),
};
// `title` and `data` are left for `warpwright report`.
const page = readFileSync("src/page.html", "utf8").replace(/\{\{(\w+)\}\}/g, (mark, name) => parts[name] ?? mark);
if (page.split("{{data}}").length !== 2 || page.split("{{title}}").length !== 2) throw new Error("a mark occurs in the bundled scripts");
writeFileSync(join(folder, "page.html"), page);
writeFileSync(join(folder, "LICENSES.txt"), licences);
