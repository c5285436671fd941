// Bars of subjects, side by side for settings: upright where there is room for them and their names, else lying.
import * as Plot from "@observablehq/plot";
import { numberText, shortText, tickText } from "../format.js";
import { settingColours } from "../palette.js";
import { fittedHeading, pieces, plotStyle, tip } from "./chart.js";
import { kMarginLeft, kMarginRight, kPadding, uprightRoom } from "./room.js";
import { fitted, fittingText, widestOf } from "./text.js";

const kGap = 4;
const kAbove = -7;  // upright bars
const kLying = 16, kFrame = 60;
const kNames = { fontSize: 11 };
const numbers = { ...kNames, fill: "currentColor", stroke: "var(--surface)", strokeWidth: 3 };  // legible over lines

const unique = (values) => [...new Set(values)];

// Points: { group, series, value, text }, groups and series being names. `reference`: a line at this value. `colours`: of series that are no
// settings.
export function bars(points, { width, most, label, reference, colours = settingColours }) {
  const groups = unique(points.map((point) => point.group)), series = unique(points.map((point) => point.series));
  const widest = widestOf(groups.flatMap((group) => group.split(" · ")), kNames);
  const room = uprightRoom({ width, groups: groups.length, series: series.length, widest });
  const domain = domainOf(points, reference);
  if (room) return uprightBars(points, { room, label, reference, groups, series, domain, colours });
  return pieces(groups, { each: (series.length + 1) * kLying, frame: kFrame, most }).map((piece) =>
    lyingBars(points.filter((point) => piece.includes(point.group)), { width, reference, groups: piece, series, domain, colours }));
}

// With room for the highest value's text, and from zero.
function domainOf(points, reference) {
  const values = points.map((point) => point.value).concat(reference ?? []);
  return [Math.min(0, ...values) * 1.08, Math.max(0, ...values) * 1.08 || 1];
}

// The values at the ends of their bars: `beyond(sign)` are the options for bars of this sign.
const endTexts = (points, channels, text, beyond) =>
  [1, -1].map((sign) => Plot.text(points.filter((point) => point.value < 0 === sign < 0), { ...channels, text, ...beyond(sign), ...numbers }));

function uprightBars(points, { room: { width, step }, label, reference, groups, series, domain, colours }) {
  const named = groups.some((group) => group !== "");
  const barWidth = step * 0.85 / series.length;
  const text = fittingText(points, [exact, short], barWidth - kGap, numbers);
  return Plot.plot({
    style: plotStyle, color: colours, width, height: named ? 320 : 220, marginLeft: kMarginLeft, marginRight: kMarginRight, marginBottom: named ? 44 : 12, marginTop: 26,
    fx: { domain: groups, padding: kPadding, label: null }, x: { domain: series, axis: null, padding: 0.06 },
    y: { domain, grid: true, label: label && fitted(label, width), nice: true, tickFormat: tickText },
    marks: [
      Plot.axisFx({ anchor: "bottom", label: null, tickSize: 0, fontSize: 11, text: (group) => group.replace(" · ", "\n"), lineAnchor: "top" }),
      Plot.barY(points, { fx: "group", x: "series", y: "value", fill: "series", ariaLabel: "text" }),
      reference === undefined ? null : Plot.ruleY([reference], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 }),
      text ? endTexts(points, { fx: "group", x: "series", y: "value" }, text, (sign) => ({ dy: sign * kAbove })) : null,
      Plot.ruleY([0]),
      Plot.tip(points, Plot.pointerX({ fx: "group", x: "series", y: "value", title: "text", ...tip })),
    ],
  });
}

// Each group is headed by its name, on a line of its own: long names fit on a phone.
function lyingBars(points, { width, reference, groups, series, domain, colours }) {
  const rows = ["", ...series];
  const roomOf = (sign) => widestOf(points.filter((point) => point.value < 0 === sign < 0).map(exact), numbers) + 2 * kGap;
  return Plot.plot({
    style: plotStyle, color: colours, width, height: groups.length * rows.length * kLying + kFrame, marginLeft: roomOf(-1), marginRight: roomOf(1), marginTop: 24, marginBottom: 24,
    fy: { domain: groups, padding: 0, axis: null }, y: { domain: rows, axis: null, padding: 0.1 },
    x: { domain, grid: true, label: null, axis: "both", ticks: Math.max(2, Math.floor(width / 90)), tickFormat: tickText },
    marks: [
      Plot.barX(points, { fy: "group", y: "series", x: "value", fill: "series", ariaLabel: "text" }),
      reference === undefined ? null : Plot.ruleX([reference], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 }),
      endTexts(points, { fy: "group", y: "series", x: "value" }, exact, (sign) => ({ dx: sign * kGap, textAnchor: sign < 0 ? "end" : "start" })),
      Plot.ruleX([0]),
      Plot.text(groups, { fy: (group) => group, y: () => "", frameAnchor: "left", dx: 1 - roomOf(-1), ...fittedHeading(width) }),
      Plot.tip(points, Plot.pointerY({ fy: "group", y: "series", x: "value", title: "text", ...tip })),
    ],
  });
}

// Ratios with two decimals, where there is little room.
const rounded = (value) => (Number.isInteger(value) || Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const exact = ({ value }) => numberText(rounded(value));
const short = ({ value }) => shortText(value);
