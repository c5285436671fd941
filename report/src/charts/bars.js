// Bars of subjects, side by side for settings: upright where there is room for them and their names, else lying.
import * as Plot from "@observablehq/plot";
import { numberText, tickText } from "../format.js";
import { settingColours } from "../palette.js";
import { heading, pieces, plotStyle, tip } from "./chart.js";

const kLetter = 6.3;  // pixels of a letter of a name, on average
const kMarginLeft = 56;
const kNarrowest = 13, kWidest = 72;  // upright bars
const kLying = 16, kFrame = 56;
const numbers = { fontSize: 11, fill: "currentColor", stroke: "var(--surface)", strokeWidth: 3 };  // legible over lines

const unique = (values) => [...new Set(values)];

// Points: { group, series, value, text }, groups and series being names. `reference`: a line at this value.
export function bars(points, { width, most, label, reference }) {
  const groups = unique(points.map((point) => point.group)), series = unique(points.map((point) => point.series));
  const widest = Math.max(...groups.flatMap((group) => group.split(" · ")).map((word) => word.length)) * kLetter;
  const each = (width - kMarginLeft) / groups.length;
  const upright = each >= series.length * kNarrowest + 12 && each >= widest + 4;
  const domain = domainOf(points, reference);
  if (upright) return uprightBars(points, { width, label, reference, groups, series, domain });
  return pieces(groups, { each: (series.length + 1) * kLying, frame: kFrame, most }).map((piece) =>
    lyingBars(points.filter((point) => piece.includes(point.group)), { width, reference, groups: piece, series, domain }));
}

// With room for the highest value's text, and from zero.
function domainOf(points, reference) {
  const values = points.map((point) => point.value).concat(reference ?? []);
  return [Math.min(0, ...values), Math.max(0, ...values) * 1.08 || 1];
}

function uprightBars(points, { width, label, reference, groups, series, domain }) {
  width = Math.min(width, kMarginLeft + groups.length * series.length * kWidest);
  const named = groups.some((group) => group !== "");
  const barWidth = ((width - kMarginLeft) / groups.length) * 0.85 / series.length;
  return Plot.plot({
    style: plotStyle, color: settingColours, width, height: named ? 320 : 220, marginLeft: kMarginLeft, marginBottom: named ? 44 : 12, marginTop: 26,
    fx: { domain: groups, padding: 0.12, label: null }, x: { domain: series, axis: null, padding: 0.06 },
    y: { domain, grid: true, label, nice: true, tickFormat: tickText },
    marks: [
      Plot.axisFx({ anchor: "bottom", label: null, tickSize: 0, fontSize: 11, text: (group) => group.replace(" · ", "\n"), lineAnchor: "top" }),
      Plot.barY(points, { fx: "group", x: "series", y: "value", fill: "series", ariaLabel: "text" }),
      reference === undefined ? null : Plot.ruleY([reference], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 }),
      barWidth < 34 ? null : Plot.text(points, { fx: "group", x: "series", y: "value", text: (point) => numberText(rounded(point.value)), dy: -6, ...numbers }),
      Plot.ruleY([0]),
      Plot.tip(points, Plot.pointerX({ fx: "group", x: "series", y: "value", title: "text", ...tip })),
    ],
  });
}

// Each group is headed by its name, on a line of its own: long names fit on a phone.
function lyingBars(points, { width, reference, groups, series, domain }) {
  const rows = ["", ...series];
  return Plot.plot({
    style: plotStyle, color: settingColours, width, height: groups.length * rows.length * kLying + kFrame, marginLeft: 6, marginRight: 52, marginTop: 24, marginBottom: 20,
    fy: { domain: groups, padding: 0, axis: null }, y: { domain: rows, axis: null, padding: 0.1 },
    x: { domain, grid: true, label: null, axis: "both", ticks: Math.max(2, Math.floor(width / 90)), tickFormat: tickText },
    marks: [
      Plot.barX(points, { fy: "group", y: "series", x: "value", fill: "series", ariaLabel: "text" }),
      reference === undefined ? null : Plot.ruleX([reference], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 }),
      Plot.text(points, { fy: "group", y: "series", x: "value", text: (point) => numberText(rounded(point.value)), dx: 4, textAnchor: "start", ...numbers }),
      Plot.ruleX([0]),
      Plot.text(groups, { fy: (group) => group, y: () => "", frameAnchor: "left", dx: 1, text: (group) => group, ...heading }),
      Plot.tip(points, Plot.pointerY({ fy: "group", y: "series", x: "value", title: "text", ...tip })),
    ],
  });
}

// Ratios with two decimals, where there is little room.
const rounded = (value) => (Number.isInteger(value) || Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
