// The source of a kernel with counts and lost issue slots beside each line.
import { data } from "../data.js";
import { h } from "../dom.js";
import { isNumber, numberCell, numberText, percentText, ratioText } from "../format.js";
import { lostSlots, slotColour, slotText, sum } from "../slots.js";

const kAround = 2;  // lines shown before and after those that were executed
const kGap = 6;     // so many lines without counts are folded

// A line of the data, by column names, with its lost slots as parts and their sum.
function lineOf(row) {
  const line = Object.fromEntries(data.line_columns.map((name, index) => [name, row[index]]));
  const parts = lostSlots(line.lost_slots);
  return { ...line, parts, lost: line.lost_slots ? sum(parts) : null };
}

const ifNumber = (text) => (value) => (isNumber(value) ? text(value) : "");

// Columns beside the source: a title, a cell of a line, and what the numbers mean. Those that no line fills are left out.
const columns = [
  { title: "warp instr.", value: (line) => line.warp_instructions, cell: heatCell, hint: "Warp instructions executed" },
  { title: "share", value: (line) => line.warp_instructions, cell: (line, { total }) => numberCell(line.warp_instructions / total, percentText), hint: "Of the kernel's warp instructions" },
  { title: "lost slots", value: (line) => line.lost, cell: (line) => numberCell(line.lost, ifNumber(numberText)), hint: "Issue slots lost while warps waited to issue this line" },
  { title: "lost to", value: (line) => line.lost, cell: (line, { worst }) => h("td", { class: "bar" }, lostBar(line, worst)), text: true },
  { title: "lanes active", value: (line) => line.simd_efficiency, cell: (line) => numberCell(line.simd_efficiency, percentText), hint: "SIMD efficiency" },
  { title: "diver­gent", value: (line) => line.divergent_branch_share, cell: (line) => numberCell(line.divergent_branch_share, percentText), hint: "Of the line's branches" },
  { title: "sect. /req.", value: (line) => line.sectors_per_request, cell: (line) => numberCell(line.sectors_per_request, ifNumber(ratioText)), hint: "32 B sectors a request to global and local memory" },
  { title: "bytes used", value: (line) => line.sector_efficiency, cell: (line) => numberCell(line.sector_efficiency, percentText), hint: "Of those moved in sectors" },
  { title: "reuse", value: (line) => line.requests_per_sector, cell: (line) => numberCell(line.requests_per_sector, ifNumber(ratioText)), hint: "Requests a sector of global memory, within a launch" },
  { title: "bank deg.", value: (line) => line.conflict_degree, cell: (line) => numberCell(line.conflict_degree, ifNumber(ratioText)), hint: "Mean conflict degree of shared memory" },
];

function heatCell(line, { hottest }) {
  const cell = numberCell(line.warp_instructions);
  cell.classList.add("heat");
  cell.style.setProperty("--heat", `${Math.round((60 * line.warp_instructions) / hottest)}%`);
  return cell;
}

// The lost slots of a line as a bar; its length is a share of the worst line's.
function lostBar({ parts, lost }, worst) {
  if (parts.length === 0) return null;
  const text = parts.map((part) => `${slotText(part.name)}: ${numberText(part.count)}`).join("\n");
  return h("span", { class: "lost", title: text, role: "img", "aria-label": text.replaceAll("\n", ", "), style: `width: ${(100 * lost) / worst}%` },
    parts.map((part) => h("span", { style: `flex: ${part.count}; background: ${slotColour(part.name)}` })));
}

function lineRow(number, text, line, shown, scales) {
  const place = [h("td", { class: "number" }, number), h("td", { class: "text" }, text)];
  if (!line) return h("tr", {}, place, h("td", { colspan: shown.length }));
  return h("tr", { class: "counted", "data-line": number }, place, shown.map((column) => column.cell(line, scales)));
}

// Numbers of the lines to show, with null where some are folded.
function shownLines(numbers, count) {
  const wanted = new Set();
  for (const number of numbers)
    for (let near = Math.max(1, number - kAround); near <= Math.min(count, number + kAround); ++near) wanted.add(near);
  const sorted = [...wanted].sort((a, b) => a - b);
  return sorted.flatMap((number, index) => {
    const before = index === 0 ? number : sorted[index - 1] + 1;
    if (number - before >= kGap) return [null, number];
    return [...Array.from({ length: number - before }, (_, i) => before + i), number];
  });
}

function fileRows(file, lines, shown, scales) {
  const texts = data.sources[file].text?.split("\n");
  const byNumber = new Map(lines.map((line) => [line.line, line]));
  const numbers = texts ? shownLines([...byNumber.keys()], texts.length) : [...byNumber.keys()];
  return numbers.map((number) =>
    number === null ? h("tr", { class: "gap" }, h("td", { class: "number" }, "⋯"), h("td", { colspan: shown.length + 1 })) :
    lineRow(number, texts ? texts[number - 1] ?? "" : "(the file could not be read when the run ended)", byNumber.get(number), shown, scales));
}

function sourceTable(caption, rows, shown) {
  const titles = [h("th", { scope: "col", class: "number" }, "line"), h("th", { scope: "col" }, "source"),
    ...shown.map(({ title, hint, text }) => h("th", { scope: "col", class: text ? null : "number", title: hint }, title))];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Source: ${caption}` },
    h("table", { class: "source" }, h("caption", {}, caption), h("thead", {}, h("tr", {}, titles)), h("tbody", {}, rows)));
}

export function sourceView(kernel) {
  const lines = kernel.lines.map(lineOf);
  if (lines.length === 0) return [h("p", { class: "empty" }, "There are no lines: compile with -lineinfo.")];
  const shown = columns.filter((column) => lines.some((line) => isNumber(column.value(line))));
  const scales = {
    total: lines.reduce((total, line) => total + line.warp_instructions, 0) || 1,
    hottest: Math.max(1, ...lines.map((line) => line.warp_instructions)),
    worst: Math.max(1, ...lines.map((line) => line.lost ?? 0)),
  };
  const placed = lines.filter((line) => line.file !== null && line.line !== null);
  const rest = lines.filter((line) => !placed.includes(line));
  const files = [...new Set(placed.map((line) => line.file))];
  const tables = files.map((file) => sourceTable(data.sources[file].path, fileRows(file, placed.filter((line) => line.file === file), shown, scales), shown));
  if (rest.length > 0) tables.push(sourceTable("Code without a source line", rest.map((line) => lineRow("–", "", line, shown, scales)), shown));
  return tables;
}
