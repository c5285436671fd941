// Points of two quantities; settings, or what else there is several of, differ in colour and shape.
import * as Plot from "@observablehq/plot";
import { colourOf, symbolOf } from "../palette.js";
import { settings } from "../data.js";
import { tickText } from "../format.js";
import { plotStyle, tip } from "./chart.js";

const kInset = 10;

// Both axes, where they are to be alike.
function commonDomain(points) {
  const values = points.flatMap((point) => [point.x, point.y]);
  return [Math.min(...values), Math.max(...values)];
}

const equalityLine = ([least, most]) => Plot.line([[least, least], [most, most]], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 });

// Points: { x, y, series, text }. `equality`: both axes are alike, with a line where x and y are equal.
export function scatter(points, { width, x, y, logarithmicX, logarithmicY, series = settings, equality = false }) {
  const common = equality ? commonDomain(points) : null, domain = series.map(({ label }) => label);
  const reach = common ? { domain: common, inset: kInset } : { nice: true };
  const axis = (label, logarithmic) => ({ label, grid: true, type: logarithmic ? "log" : "linear", tickFormat: tickText, ...reach });
  const channels = { x: "x", y: "y", stroke: "series", fill: "series", symbol: "series" };
  return Plot.plot({
    style: plotStyle, width, height: Math.min(480, Math.max(300, width * 0.6)), marginLeft: 60, marginBottom: 44, marginTop: 28, marginRight: 20,
    x: { ...axis(x, logarithmicX), ticks: Math.max(2, Math.floor(width / 110)) }, y: axis(y, logarithmicY),
    color: { domain, range: series.map(colourOf) }, symbol: { domain, range: series.map(symbolOf) },
    marks: [
      common ? equalityLine(common) : null,
      Plot.dot(points, { ...channels, fillOpacity: 0.35, r: 5, ariaLabel: "text" }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: "text", ...tip })),
    ],
  });
}
