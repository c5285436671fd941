// Points of two quantities; settings differ in colour and shape.
import * as Plot from "@observablehq/plot";
import { settingColours, symbolOf } from "../palette.js";
import { settings } from "../data.js";
import { tickText } from "../format.js";
import { plotStyle, tip } from "./chart.js";

// Points: { x, y, series, text }
export function scatter(points, { width, x, y, logarithmicX, logarithmicY }) {
  const axis = (label, logarithmic) => ({ label, grid: true, type: logarithmic ? "log" : "linear", nice: true, tickFormat: tickText });
  const channels = { x: "x", y: "y", stroke: "series", fill: "series", symbol: "series" };
  return Plot.plot({
    style: plotStyle, width, height: Math.min(480, Math.max(300, width * 0.6)), marginLeft: 60, marginBottom: 44, marginTop: 28, marginRight: 20,
    x: { ...axis(x, logarithmicX), ticks: Math.max(2, Math.floor(width / 110)) }, y: axis(y, logarithmicY),
    color: settingColours, symbol: { domain: settingColours.domain, range: settings.map(symbolOf) },
    marks: [
      Plot.dot(points, { ...channels, fillOpacity: 0.35, r: 5, ariaLabel: "text" }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: "text", ...tip })),
    ],
  });
}
