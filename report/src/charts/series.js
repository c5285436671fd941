// A quantity over the cycles of a run, a line a setting; and issue slots over time, an area a kind.
import * as Plot from "@observablehq/plot";
import { fullLabelOf, settings } from "../data.js";
import { tickText } from "../format.js";
import { dashOf, settingColours } from "../palette.js";
import { slotColour, slotText } from "../slots.js";
import { fittedHeading, pieces, plotStyle, tip } from "./chart.js";

const kArea = 150, kAreaFrame = 60;
const cycles = (width) => ({ label: "core cycles →", ticks: Math.max(2, Math.floor(width / 110)), tickFormat: tickText });

// Points: { series, from, until, value }; a point that has no value leaves a gap.
export function seriesLines(points, { width, label }) {
  const shown = settings.filter((setting) => points.some((point) => point.series === setting.label));
  return Plot.plot({
    style: plotStyle, width, height: 320, marginLeft: 56, marginTop: 28, marginRight: 16, marginBottom: 42,
    x: cycles(width), y: { label, grid: true, zero: true, nice: true }, color: settingColours,
    marks: [
      Plot.ruleY([0]),
      shown.map((setting) =>
        Plot.lineY(points.filter((point) => point.series === setting.label), {
          x: "until", y: "value", stroke: "series", strokeWidth: 1.6, strokeDasharray: dashOf(setting), curve: "step-before", ariaLabel: () => setting.label,
        })),
      Plot.tip(points, Plot.pointerX({ x: "until", y: "value", title: (point) => `${point.series}\ncycles ${point.from} to ${point.until}\n${point.text}`, ...tip })),
    ],
  });
}

// Parts: { series, until, name, share }
export function seriesAreas(parts, { width, most, series, names }) {
  return pieces(series, { each: kArea, frame: kAreaFrame, most }).map((piece) =>
    areas(parts.filter((part) => piece.includes(part.series)), { width, series: piece, names }));
}

function areas(parts, { width, series, names }) {
  return Plot.plot({
    style: plotStyle, width, height: series.length * kArea + kAreaFrame, marginLeft: 48, marginTop: 34, marginRight: 16, marginBottom: 42,
    fy: { domain: series, padding: 0.18, axis: null }, x: cycles(width), y: { label: null, percent: true, ticks: 3, domain: [0, 100] },
    color: { domain: names, range: names.map(slotColour) },
    marks: [
      Plot.areaY(parts, Plot.stackY({ order: null, fy: "series", x: "until", y: "share", fill: "name", curve: "step-before", ariaLabel: (part) => slotText(part.name) })),
      Plot.text(series, { fy: (name) => name, frameAnchor: "top-left", dy: -18, dx: -44, ...fittedHeading(width, (name) => `${name} (% of the issue slots)`), title: fullLabelOf }),
    ],
  });
}
