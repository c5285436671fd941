// A quantity by revision, a line for each of what there is several of.
import * as Plot from "@observablehq/plot";
import { tickText } from "../format.js";
import { colourOf, dashOf, symbolOf } from "../palette.js";
import { plotStyle, tip } from "./chart.js";
import { widestOf } from "./text.js";

const kMarginLeft = 52, kMarginRight = 40, kBetween = 10;

// Points: { at, value, series, text }, `at` being an index of `revisions`; `series` as settings are.
export function revisionLines(points, { width, label, revisions, series }) {
  const every = Math.ceil(((widestOf(revisions) + kBetween) * revisions.length) / (width - kMarginLeft - kMarginRight));
  const places = revisions.map((_, index) => index), domain = series.map((each) => each.label);
  return Plot.plot({
    style: plotStyle, width, height: 280, marginLeft: kMarginLeft, marginRight: kMarginRight, marginTop: 28, marginBottom: 42,
    x: { type: "point", domain: places, label: "revision →", padding: 0.5, ticks: places.filter((index) => index % every === 0), tickFormat: (index) => revisions[index] },
    y: { label, grid: true, zero: true, nice: true, tickFormat: tickText },
    color: { domain, range: series.map(colourOf) }, symbol: { domain, range: series.map(symbolOf) },
    marks: [
      Plot.ruleY([0]),
      series.map((each) => Plot.lineY(points.filter((point) => point.series === each.label), { x: "at", y: "value", stroke: "series", strokeWidth: 1.6, strokeDasharray: dashOf(each) })),
      Plot.dot(points, { x: "at", y: "value", stroke: "series", fill: "series", symbol: "series", r: 4, ariaLabel: "text" }),
      Plot.tip(points, Plot.pointer({ x: "at", y: "value", title: "text", ...tip })),
    ],
  });
}
