// Lying bars stacked of parts (issue slots, where nothing else is said), one a setting, headed by their subject. Names of settings stand beside their bars, or above them where
// that would leave the bars too little.
import * as Plot from "@observablehq/plot";
import { fullLabelOf } from "../data.js";
import { percentText } from "../format.js";
import { slotColour, slotText } from "../slots.js";
import { fittedHeading, pieces, plotStyle, tip } from "./chart.js";
import { fitted, widestOf } from "./text.js";

const kRow = 18, kFrame = 56, kGap = 8;

const rowAbove = (name) => `${name} `;  // unlike that of the bar

const slotTip = ({ name, share }) => `${slotText(name)}: ${percentText(share)}`;

// Parts: { group, series, name, value, share }, in the order of stacking. `names`: of those that occur; `colour` of a name, `text` of a part.
export function stacks(parts, { width, most, groups, series, names, percent, colour = slotColour, text = slotTip }) {
  const single = series.length === 1;
  const longest = widestOf(series) + kGap;
  const above = !single && longest > width * 0.3;
  const rows = ["", ...series.flatMap((name) => (above ? [rowAbove(name), name] : [name]))];
  const layout = { width, series, names, percent, colour, text, single, above, rows, labels: single || above ? 0 : longest, domain: percent ? [0, 100] : [0, longestBar(parts)] };
  return pieces(groups, { each: rows.length * kRow, frame: kFrame, most }).map((piece) => drawn(parts.filter((part) => piece.includes(part.group)), piece, layout));
}

function longestBar(parts) {
  const lengths = new Map();
  for (const { group, series, value } of parts) {
    const bar = JSON.stringify([group, series]);
    lengths.set(bar, (lengths.get(bar) ?? 0) + value);
  }
  return Math.max(...lengths.values());
}

function drawn(parts, groups, { width, series, names, percent, colour, text: textOf, single, above, rows, labels, domain }) {
  const text = (part) => `${part.group}${single ? "" : `\n${part.series}`}\n${textOf(part)}`;
  return Plot.plot({
    style: plotStyle, width, height: groups.length * rows.length * kRow + kFrame, marginLeft: labels + 10, marginRight: 16, marginTop: 24, marginBottom: 24,
    fy: { domain: groups, padding: 0, axis: null }, y: { domain: rows, axis: null, padding: 0.12 },
    x: { label: null, grid: true, axis: "both", percent, ticks: Math.max(2, Math.floor(width / 100)), domain },
    color: { domain: names, range: names.map(colour) },
    marks: [
      above ? Plot.text(groups.flatMap((group) => series.map((name) => ({ group, name }))), { fy: "group", y: ({ name }) => rowAbove(name), text: ({ name }) => fitted(name, width - 2 * kGap), title: ({ name }) => fullLabelOf(name), frameAnchor: "left", dx: -6, dy: -1, textAnchor: "start" }) : null,
      labels ? Plot.axisY({ tickSize: 0, label: null, title: fullLabelOf }) : null,
      Plot.barX(parts, Plot.stackX({ order: null, fy: "group", y: "series", x: "value", fill: "name", stroke: "var(--surface)", strokeWidth: 0.7,
        ariaLabel: (part) => text(part).replaceAll("\n", ", ") })),
      Plot.ruleX([0]),
      Plot.text(groups, { fy: (group) => group, y: () => "", frameAnchor: "left", dx: -labels - 6, ...fittedHeading(width) }),
      Plot.tip(parts, Plot.pointer(Plot.stackX({ order: null, fy: "group", y: "series", x: "value", title: text, ...tip }))),
    ],
  });
}
