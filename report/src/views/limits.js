// What limits a kernel, what it would take without, and how its work is shared out among units: docs/verdict.md.
import { h, table } from "../dom.js";
import { numberCell, numberText, percentText, ratioText } from "../format.js";

const lineText = ({ file, line }) => `${file.split("/").at(-1)}:${line}`;

function limitRow({ rule, share, evidence, remedy, lines }) {
  const where = lines.length ? h("p", { class: "note" }, `at ${lines.map(lineText).join(", ")}`) : null;
  return h("tr", {}, h("th", { scope: "row" }, rule.replaceAll("_", " ")), numberCell(share, percentText),
    h("td", {}, evidence, where), h("td", {}, remedy));
}

function whatIfRow({ name, settings, cycles, share }) {
  return h("tr", {}, h("th", { scope: "row", title: settings.join(" ") }, name), numberCell(cycles, numberText), numberCell(share, percentText));
}

const unitKinds = [
  ["SM", "warp instructions", "sm_warp_instructions"],
  ["SM", "cycles with a warp", "sm_active_cycles"],
  ["L2 slice", "accesses", "slice_accesses"],
  ["L2 slice", "ticks of atomics", "slice_atomic_ticks"],
  ["DRAM channel", "bytes moved", "channel_moved_bytes"],
];

// A bar for each unit, as high as its count beside the largest.
function bars(counts, most) {
  const width = 6, height = 32;
  const rectangles = counts.map((count, unit) => {
    const tall = (height * count) / most;
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, value] of [["x", unit * width], ["y", height - tall], ["width", width - 1], ["height", tall], ["fill", "currentColor"]]) bar.setAttribute(name, value);
    return bar;
  });
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of [["width", counts.length * width], ["height", height], ["role", "img"], ["aria-label", `${counts.length} units: ${counts.map(numberText).join(", ")}`]]) svg.setAttribute(name, value);
  svg.append(...rectangles);
  return svg;
}

function unitRow(units, [unit, counted, name]) {
  const counts = units[name] ?? [];
  const most = Math.max(0, ...counts);
  if (most === 0) return null;
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return h("tr", {}, h("th", { scope: "row" }, `${unit}: ${counted}`), numberCell(counts.indexOf(most)), numberCell(most, numberText),
    numberCell(most / mean, ratioText), h("td", {}, bars(counts, most)));
}

function roofRow({ precision, operations, per_byte, rate, pipes, dram }) {
  const byDram = dram !== 0 && dram < pipes;
  return h("tr", {}, h("th", { scope: "row" }, precision), numberCell(operations, numberText), numberCell(per_byte || null, ratioText), numberCell(rate, ratioText),
    numberCell(byDram ? dram : pipes, ratioText), numberCell(rate / (byDram ? dram : pipes), percentText), h("td", {}, byDram ? "DRAM" : "pipes"));
}

export function limitsView({ limits, what_if: answers, units, roofline }) {
  const number = (text) => ({ text, number: true });
  const unitRows = units ? unitKinds.map((kind) => unitRow(units, kind)).filter(Boolean) : [];
  return [
    limits?.length ? h("h3", {}, "What limits it") : null,
    limits?.length ? table(["limit", number("of the slots"), "why", "what helps"], limits.map(limitRow), { caption: "Shares of all issue slots" }) : null,
    answers?.length ? table(["without", number("core cycles"), number("of its own")], answers.map(whatIfRow), { caption: "What it would take" }) : null,
    roofline?.length ? table(["precision", number("operations"), number("a byte of DRAM"), number("GOP/s"), number("roof"), number("of it"), "whose"], roofline.map(roofRow), { caption: "Roofline" }) : null,
    unitRows.length ? h("h3", {}, "Units one by one") : null,
    unitRows.length ? table(["units and what they count", number("most"), number("its count"), number("times the mean"), "all, from number 0"], unitRows, { caption: "How the work is shared out" }) : null,
  ];
}
