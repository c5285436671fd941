// One quantity of many, side by side in its order: how many are near the reference, and how far off the others are.
import * as Plot from "@observablehq/plot";
import { tickText } from "../format.js";
import { colourOf, symbolOf } from "../palette.js";
import { plotStyle, tip } from "./chart.js";

const kInset = 10;

// Points: { value, series, text }, in their order. `series` as settings are.
export function ranked(points, { width, x, y, reference, logarithmic, series }) {
  const channels = { x: (_, index) => index + 1, y: "value" }, domain = series.map(({ label }) => label);
  return Plot.plot({
    style: plotStyle, width, height: 260, marginLeft: 56, marginRight: 16, marginTop: 28, marginBottom: 30,
    x: { label: x, domain: [0, points.length + 1], ticks: [] }, y: { label: y, grid: true, tickFormat: tickText, type: logarithmic ? "log" : "linear", inset: kInset },
    color: { domain, range: series.map(colourOf) }, symbol: { domain, range: series.map(symbolOf) },
    marks: [
      Plot.ruleY([reference], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 }),
      Plot.dot(points, { ...channels, stroke: "series", fill: "series", symbol: "series", fillOpacity: 0.35, r: 3.5, ariaLabel: "text" }),
      Plot.tip(points, Plot.pointer({ ...channels, title: "text", ...tip })),
    ],
  });
}
