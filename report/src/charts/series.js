// A quantity over the cycles of a run, a line a setting; and issue slots over time, an area a kind.
import * as Plot from "@observablehq/plot";
import { fullLabelOf, settings } from "../data.js";
import { tickText } from "../format.js";
import { dashOf, settingColours } from "../palette.js";
import { slotColour, slotText } from "../slots.js";
import { fittedHeading, pieces, plotStyle, tip } from "./chart.js";
import { launchMarks } from "./launches.js";

const kArea = 150, kAreaFrame = 60, kMarginLeft = 52, kMarginRight = 16;
const kNames = 14;  // pixels that names of kernels take above a frame
const cycles = (width, { from, until }) => ({ label: "core cycles →", domain: [from, until], ticks: Math.max(2, Math.floor(width / 110)), tickFormat: tickText });

// The cycles that a drawing shows, and how many pixels one takes.
function extentOf(points, launches, width) {
  const least = (name, items) => items.reduce((value, item) => Math.min(value, item[name]), Infinity);
  const from = Math.min(least("from", points), least("begin", launches)), until = points.reduce((value, point) => Math.max(value, point.until), 0);
  return { from, until, scale: (width - kMarginLeft - kMarginRight) / (until - from) };
}

// Steps end at `until`: the first interval needs a point at its beginning too.
function fromStart(points) {
  const first = points.filter((point) => point.from === points[0].from);
  return [...first.map((point) => ({ ...point, until: point.from })), ...points];
}

// Points: { series, from, until, value }; a point that has no value leaves a gap. Launches: { series, name, begin, end }.
export function seriesLines(points, { width, label, launches }) {
  const extent = extentOf(points, launches, width), names = launches.length > 0 ? kNames : 0;
  const shown = settings.filter((setting) => points.some((point) => point.series === setting.label));
  return Plot.plot({
    style: plotStyle, width, height: 320 + names, marginLeft: kMarginLeft, marginTop: 28 + names, marginRight: kMarginRight, marginBottom: 42,
    x: cycles(width, extent), y: { label, grid: true, zero: true, nice: true }, color: settingColours,
    marks: [
      Plot.ruleY([0]),
      launchMarks([launches], extent, { stroke: "series" }),
      shown.map((setting) =>
        Plot.lineY(fromStart(points.filter((point) => point.series === setting.label)), {
          x: "until", y: "value", stroke: "series", strokeWidth: 1.6, strokeDasharray: dashOf(setting), curve: "step-before", ariaLabel: () => setting.label,
        })),
      Plot.tip(points, Plot.pointerX({ x: "until", y: "value", title: (point) => `${point.series}\ncycles ${point.from} to ${point.until}\n${point.text}`, ...tip })),
    ],
  });
}

// Parts: { series, from, until, name, share }
export function seriesAreas(parts, { width, most, series, names, launches }) {
  const each = kArea + (launches.length > 0 ? kNames : 0);
  return pieces(series, { each, frame: kAreaFrame, most }).map((piece) =>
    areas(parts.filter((part) => piece.includes(part.series)), { width, each, series: piece, names, launches: launches.filter((launch) => piece.includes(launch.series)) }));
}

function areas(parts, { width, each, series, names, launches }) {
  const extent = extentOf(parts, launches, width), above = each - kArea;
  const frames = series.map((name) => launches.filter((launch) => launch.series === name));
  return Plot.plot({
    style: plotStyle, width, height: series.length * each + kAreaFrame, marginLeft: kMarginLeft, marginTop: 34 + above, marginRight: kMarginRight, marginBottom: 42,
    fy: { domain: series, padding: (0.18 * kArea + above) / each, axis: null }, x: cycles(width, extent), y: { label: null, percent: true, ticks: 3, domain: [0, 100] },
    color: { domain: names, range: names.map(slotColour) },
    marks: [
      Plot.areaY(series.flatMap((name) => fromStart(parts.filter((part) => part.series === name))), Plot.stackY({ order: null, fy: "series", x: "until", y: "share", fill: "name", curve: "step-before", ariaLabel: (part) => slotText(part.name) })),
      launchMarks(frames, extent, { fy: "series" }),
      Plot.text(series, { fy: (name) => name, frameAnchor: "top-left", dy: -18 - above, dx: 4 - kMarginLeft, ...fittedHeading(width, (name) => `${name} (% of the issue slots)`), title: fullLabelOf }),
    ],
  });
}
