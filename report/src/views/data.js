// What the arrays of a kernel hold, and how well it compresses: a table of `--data`.
import { h, table } from "../dom.js";
import { isNumber, numberCell, numberText, percentText, ratioText } from "../format.js";

const share = (part) => [(content) => part(content) / content.lines, percentText];
const ratio = (name) => [(content) => content[name], (value) => (isNumber(value) ? `${ratioText(value)}×` : "")];
// [title, value of what lines hold, how it is written]
const columns = [
  ["lines", (content) => content.lines, numberText],
  ["zero", ...share((content) => content.kinds.zero)],
  ["repeated", ...share((content) => content.kinds.repeated)],
  ["narrow", ...share((content) => content.kinds.narrow)],
  ["uniform", ...share((content) => content.classes.uniform)],
  ["affine", ...share((content) => content.classes.affine)],
  ["BDI", ...ratio("bdi_ratio")],
  ["FPC", ...ratio("fpc_ratio")],
  ["C-Pack", ...ratio("c_pack_ratio")],
  ["bits a word", (content) => content.entropy_bits_per_word, (value) => (isNumber(value) ? value.toFixed(1) : "")],
];

function nameOf({ name, bytes, arguments: numbers }) {
  const size = bytes === null ? "" : `, ${numberText(bytes)} B`;
  return `${name}${size}${numbers.length ? `, argument${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}` : ""}`;
}

function rowsOf(array) {
  return ["loaded", "stored"].filter((way) => array[way]).map((way) =>
    h("tr", {}, h("th", { scope: "row" }, nameOf(array)), h("td", {}, way), columns.map(([, value, text]) => numberCell(value(array[way]), text))));
}

export function dataView({ data }) {
  if (!data || data.length === 0) return [];
  return [
    h("h3", {}, "Data in global memory"),
    h("p", { class: "note" }, "Lines of 128 B, as a launch's first load found them and as they were at its end where it has stored; ratios are of bursts of 32 B, bits those of a 32-bit word whose bytes are coded apart."),
    table(["array", "access", ...columns.map(([text]) => ({ text, number: true }))], data.flatMap(rowsOf), { caption: "What its arrays hold" }),
  ];
}
