// Stacked bars over a swept number, a panel a subject; a panel's last bar stands apart, for reference.
import * as Plot from "@observablehq/plot";
import { numberText, tickText } from "../format.js";
import { fittedHeading, pieces, plotStyle, tip } from "./chart.js";

const kPanel = 170, kFrame = 50;

// Parts: { group, at, name, value, text }, in the order of stacking. `places`: of the bars, in their order. `kinds`: { name, colour }.
export function profiles(parts, { width, most, groups, places, kinds, label }) {
  return pieces(groups, { each: kPanel, frame: kFrame, most }).map((piece) =>
    drawn(parts.filter((part) => piece.includes(part.group)), { width, groups: piece, places, kinds, label }));
}

function drawn(parts, { width, groups, places, kinds, label }) {
  return Plot.plot({
    style: plotStyle, width: Math.min(width, 120 + places.length * 64), height: groups.length * kPanel + kFrame,
    marginLeft: 56, marginRight: 16, marginTop: 34, marginBottom: 40,
    fy: { domain: groups, padding: 0.22, axis: null }, x: { domain: places, label, padding: 0.2 },
    y: { label: null, grid: true, ticks: 4, tickFormat: tickText },
    color: { domain: kinds.map((kind) => kind.name), range: kinds.map((kind) => kind.colour) },
    marks: [
      Plot.barY(parts, Plot.stackY({ order: null, fy: "group", x: "at", y: "value", fill: "name", stroke: "var(--surface)", strokeWidth: 0.7,
        ariaLabel: (part) => `${part.text}: ${numberText(part.value)}` })),
      Plot.ruleY([0]),
      Plot.text(groups, { fy: (group) => group, frameAnchor: "top-left", dy: -18, dx: -48, ...fittedHeading(width) }),
      Plot.tip(parts, Plot.pointer(Plot.stackY({ order: null, fy: "group", x: "at", y: "value", title: (part) => `${part.text}: ${numberText(part.value)}`, ...tip }))),
    ],
  });
}
