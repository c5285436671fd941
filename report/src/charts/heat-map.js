// How many of something stand where, over time: a row a place, a cell an interval. Each colour is of twice as many as the one before, so that
// single groups show beside crowds.
import * as Plot from "@observablehq/plot";
import { numberText, tickText } from "../format.js";
import { heatColours } from "../palette.js";
import { plotStyle, tip } from "./chart.js";

const kMostHeight = 640, kLeastRow = 4, kMostRow = 16, kFrame = 70, kLabel = 14;

const upTo = (step, most) => most / 2 ** (heatColours.length - 1 - step);
const stepOf = (value, most) => heatColours.findIndex((_, step) => value <= upTo(step, most));

// Of the legend: the colours with the values that have them.
export const heatSteps = (most, unit) => heatColours.map((colour, step) => ({ colour, text: `up to ${numberText(upTo(step, most))} ${unit}` }));

// Cells: { from, until, row, value, text }. `rows`: from the top. `most`: no value is above it.
export function heatMap(cells, { width, rows, most, label }) {
  const row = Math.max(kLeastRow, Math.min(kMostRow, (kMostHeight - kFrame) / rows.length));
  const every = Math.ceil(kLabel / row);
  return Plot.plot({
    style: plotStyle, width, height: rows.length * row + kFrame, marginLeft: 64, marginTop: 28, marginRight: 16, marginBottom: 42,
    x: { label: "core cycles →", ticks: Math.max(2, Math.floor(width / 110)), tickFormat: tickText },
    y: { label, domain: rows, padding: 0, ticks: rows.filter((_, index) => index % every === 0) },
    color: { domain: heatColours.map((_, step) => step), range: heatColours, type: "ordinal" },
    marks: [
      Plot.frame({ stroke: "var(--line)" }),
      Plot.barX(cells, { x1: "from", x2: "until", y: "row", fill: (cell) => stepOf(cell.value, most), inset: 0 }),
      Plot.tip(cells, Plot.pointer({ x: (cell) => (cell.from + cell.until) / 2, y: "row", title: "text", ...tip })),
    ],
  });
}
