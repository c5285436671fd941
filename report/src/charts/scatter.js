// Points of two quantities; settings, or what else there is several of, differ in colour and shape.
import * as Plot from "@observablehq/plot";
import { colourOf, symbolOf } from "../palette.js";
import { settings } from "../data.js";
import { tickText } from "../format.js";
import { plotStyle, tip } from "./chart.js";
import { logarithmicScale } from "./ticks.js";

const kMargins = { marginLeft: 60, marginBottom: 44, marginTop: 28, marginRight: 20 };
const kAcross = 52, kUpward = 20;  // pixels between ticks of a logarithmic axis

// Points: { x, y, series, text }. `equality`: both axes are alike, with a line where x and y are equal.
export function scatter(points, { width, x, y, logarithmicX, logarithmicY, series = settings, equality = false }) {
  const height = Math.min(480, Math.max(300, width * 0.6));
  const valuesOf = (name) => points.flatMap((point) => (equality ? [point.x, point.y] : [point[name]]));
  const scale = (logarithmic, name, room, ticks) => (logarithmic ? logarithmicScale(valuesOf(name), room) : { type: "linear", nice: true, ticks });
  const across = scale(logarithmicX, "x", { length: width - kMargins.marginLeft - kMargins.marginRight, each: kAcross }, Math.max(2, Math.floor(width / 110)));
  const upward = scale(logarithmicY, "y", { length: height - kMargins.marginTop - kMargins.marginBottom, each: kUpward });
  const channels = { x: "x", y: "y", stroke: "series", fill: "series", symbol: "series" };
  const domain = series.map(({ label }) => label);
  return Plot.plot({
    style: plotStyle, width, height, ...kMargins,
    x: { label: x, grid: true, tickFormat: tickText, ...across }, y: { label: y, grid: true, tickFormat: tickText, ...upward },
    color: { domain, range: series.map(colourOf) }, symbol: { domain, range: series.map(symbolOf) },
    marks: [
      equality ? Plot.link([across.domain], { x1: ([least]) => least, y1: ([least]) => least, x2: ([, most]) => most, y2: ([, most]) => most, strokeDasharray: "4 3", strokeOpacity: 0.7 }) : null,
      Plot.dot(points, { ...channels, fillOpacity: 0.35, r: 5, ariaLabel: "text" }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: "text", ...tip })),
    ],
  });
}
