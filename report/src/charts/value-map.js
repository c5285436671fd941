// A value at each combination of two parameters: a cell with its number, of which the least are marked. Colours divide the range of values
// into equal steps.
import * as Plot from "@observablehq/plot";
import { numberText, shortText } from "../format.js";
import { heatColours } from "../palette.js";
import { plotStyle, tip } from "./chart.js";
import { fittingText } from "./text.js";

const kRow = 44, kFrame = 74, kMostColumn = 150, kMargins = 90, kGap = 4;
const numbers = { fontSize: 12, fill: "currentColor", stroke: "var(--surface)", strokeWidth: 4 };  // legible over colours

export function rangeOf(cells) {
  const values = cells.map(({ value }) => value);
  return { least: Math.min(...values), most: Math.max(...values) };
}

const boundOf = (step, { least, most }) => least + ((most - least) * step) / heatColours.length;
const stepOf = (value, { least, most }) =>
  (most > least ? Math.min(heatColours.length - 1, Math.floor((heatColours.length * (value - least)) / (most - least))) : 0);

// Of the legend.
export const mapSteps = (range) => heatColours.map((colour, step) => ({ colour, text: `${numberText(boundOf(step, range))} to ${numberText(boundOf(step + 1, range))}` }));

// Ways to write a cell: with its value in full, in short, or with nothing but the mark of the least, where cells are narrow.
const writings = ({ least }) => [numberText, shortText, () => ""].map((valueText) => ({ value }) => [valueText(value), value === least ? "*" : ""].filter(Boolean).join(" "));

// Cells: { across, down, value, text }. `columns` and `rows`: values of the parameters, in their order; `across` and `down`: the parameters.
export function valueMap(cells, { width: most, columns, rows, across, down }) {
  const range = rangeOf(cells);
  const width = Math.min(most, kMargins + columns.length * kMostColumn);
  const text = fittingText(cells, writings(range), (width - kMargins) / columns.length - kGap, numbers);
  return Plot.plot({
    style: plotStyle, width, height: rows.length * kRow + kFrame,
    marginLeft: 64, marginTop: 28, marginRight: 16, marginBottom: 42,
    x: { label: `${across} →`, domain: columns, padding: 0.03 }, y: { label: `↓ ${down}`, domain: rows, padding: 0.06 },
    color: { domain: heatColours.map((_, step) => step), range: heatColours, type: "ordinal" },
    marks: [
      Plot.cell(cells, { x: "across", y: "down", fill: ({ value }) => stepOf(value, range), ariaLabel: ({ text }) => text.replaceAll("\n", ", ") }),
      Plot.text(cells, { x: "across", y: "down", text, ...numbers }),
      Plot.tip(cells, Plot.pointer({ x: "across", y: "down", title: "text", ...tip })),
    ],
  });
}
