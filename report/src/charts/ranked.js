// One quantity of many, side by side in its order: how many are near the reference, and how far off the others are.
import * as Plot from "@observablehq/plot";
import { tickText } from "../format.js";
import { colourOf, symbolOf } from "../palette.js";
import { plotStyle, tip } from "./chart.js";
import { logarithmicScale } from "./ticks.js";

const kHeight = 260, kTop = 28, kBottom = 30, kUpward = 20;

// Points: { value, series, text }, in their order. `series` as settings are.
export function ranked(points, { width, x, y, reference, logarithmic, series }) {
  const scale = logarithmic
    ? logarithmicScale([reference, ...points.map(({ value }) => value)], { length: kHeight - kTop - kBottom, each: kUpward })
    : { nice: true, ticks: Math.floor((kHeight - kTop - kBottom) / kUpward / 2) };
  const channels = { x: (_, index) => index + 1, y: "value" }, domain = series.map(({ label }) => label);
  return Plot.plot({
    style: plotStyle, width, height: kHeight, marginLeft: 56, marginRight: 16, marginTop: kTop, marginBottom: kBottom,
    x: { label: x, domain: [0, points.length + 1], ticks: [] }, y: { label: y, grid: true, tickFormat: tickText, ...scale },
    color: { domain, range: series.map(colourOf) }, symbol: { domain, range: series.map(symbolOf) },
    marks: [
      Plot.ruleY([reference], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 }),
      Plot.dot(points, { ...channels, stroke: "series", fill: "series", symbol: "series", fillOpacity: 0.35, r: 3.5, ariaLabel: "text" }),
      Plot.tip(points, Plot.pointer({ ...channels, title: "text", ...tip })),
    ],
  });
}
