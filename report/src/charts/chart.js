// The frame of every chart: title, legend, a drawing that follows the width, the numbers as a table.
import * as Plot from "@observablehq/plot";
import { h, details, table } from "../dom.js";
import { colourOf, symbolOf } from "../palette.js";
import { settingName } from "../names.js";
import { downloads } from "../downloads.js";
import { described } from "./description.js";
import { fitted, kFontSize } from "./text.js";

// CSS pixels: A4 and Letter without their margins; a page has room for a heading and a legend too.
const kPrintWidth = 680, kPrintHeight = 800;

// Every drawing of the page, to be redrawn for the width of paper.
const drawings = new Set();

function drawing(draw, labelOf) {
  const host = h("div", { class: "drawing" });
  let drawn = 0;
  const redraw = (width, most = Infinity) => {
    if (!width || Math.abs(width - drawn) < 1) return;
    drawn = width;
    host.replaceChildren(...[draw(width, most)].flat().map((svg) => labelled(svg, labelOf())));
  };
  // In the next frame: drawing changes the height, which an observer may not do.
  const observer = new ResizeObserver(() => requestAnimationFrame(() => redraw(host.clientWidth)));
  observer.observe(host);
  drawings.add({ host, redraw });
  return host;
}

function labelled(svg, label) {
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  return svg;
}

// Draws what has just been put into the page, at once: where it is tall before one scrolls to it.
export function drawNow() {
  forget();
  for (const { host, redraw } of drawings) redraw(host.clientWidth);
}

function forget() {
  for (const each of drawings) if (!each.host.isConnected) drawings.delete(each);
}
const printWidth = (host) => (host.closest(".pair") ? kPrintWidth / 2 - 16 : kPrintWidth);
addEventListener("beforeprint", () => (forget(), drawings.forEach((each) => each.redraw(printWidth(each.host), kPrintHeight))));
addEventListener("afterprint", drawNow);

// The groups of a drawing, cut so that no piece is higher than `most`: `each` a group, and `frame` around them.
export function pieces(groups, { each, frame, most }) {
  const count = Math.max(1, Math.floor((most - frame) / each));
  if (groups.length <= count) return [groups];
  return Array.from({ length: Math.ceil(groups.length / count) }, (_, index) => groups.slice(index * count, (index + 1) * count));
}

// `draw(width, most)`: the drawing, or several below one another none of which is higher than `most`. `plotted`: { kind, columns, rows } of what is drawn (description.js).
// `numbers`: { header, rows } of the table behind the drawing.
export function chart({ title, note, legend, draw, plotted, numbers }) {
  const shown = once(() => ({ ...plotted, rows: plotted.rows() }));
  const figure = h("figure", { class: "chart" },
    h("figcaption", {}, h("h3", {}, title), note ? h("p", { class: "note" }, note) : null),
    legend,
    drawing(draw, once(() => described(title, shown()))),
    numbers ? details("Numbers", () => table(numbers.header, numbers.rows(), { caption: title })) : null);
  figure.append(downloads(figure, title, shown));
  return figure;
}

function once(make) {
  let made;
  return () => (made ??= make());
}

function symbol(setting) {
  const svg = Plot.plot({
    width: 16, height: 16, margin: 0, axis: null, x: { domain: [-1, 1] }, y: { domain: [-1, 1] }, style: "overflow: visible",
    marks: [Plot.dot([[0, 0]], { symbol: symbolOf(setting), stroke: colourOf(setting), fill: colourOf(setting), fillOpacity: 0.3, r: 5 })],
  });
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

function swatch(setting, shape) {
  if (shape === "symbol") return symbol(setting);
  return h("span", { class: "swatch", style: `background: ${colourOf(setting)}` });
}

export function settingLegend(settings, shape = "square") {
  if (settings.length < 2) return null;
  return h("ul", { class: "legend" }, settings.map((setting) => h("li", {}, swatch(setting, shape), settingName(setting))));
}

export function legendOf(items) {
  return h("ul", { class: "legend" },
    items.map(({ text, colour }) => h("li", {}, h("span", { class: "swatch", style: `background: ${colour}` }), text)));
}

export const plotStyle = { fontSize: `${kFontSize}px`, fontFamily: "inherit", overflow: "visible", background: "none" };
export const tip = { fill: "var(--surface)", stroke: "var(--line)", fontSize: 12, lineHeight: 1.3, pathFilter: "none" };
// Headings within a drawing, legible over its lines.
const heading = { fontWeight: 600, textAnchor: "start", stroke: "var(--surface)", fill: "currentColor", strokeWidth: 4 };
const kHeadingMargin = 16;
// The options of headings of a drawing that is so wide; where one is cut, its title is whole.
export const fittedHeading = (width, text = (name) => name) => ({ text: (name) => fitted(text(name), width - kHeadingMargin, heading), title: text, ...heading });
