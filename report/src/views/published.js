// A paper's figures and tables: published values beside ours.
import { data } from "../data.js";
import { h, table } from "../dom.js";
import { isNumber, numberText, percentText } from "../format.js";
import { bars } from "../charts/bars.js";
import { chart } from "../charts/chart.js";

const { paper } = data;
const close = 0.1;  // of the published value

// Without ours/published there is nothing to draw: words, values that are only drawn, zeros.
const comparable = (item) => item.values.filter(({ relative }) => isNumber(relative));
const isClose = ({ relative }) => Math.abs(relative - 1) <= close;

function median(values) {
  const ordered = [...values].sort((one, other) => one - other), middle = ordered.length >> 1;
  return ordered.length % 2 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
}

const card = (value, text) => h("li", {}, h("b", {}, value), h("span", {}, text));

// Names occur twice where a paper gives a value in two places.
function distinct(values) {
  const seen = new Map();
  return values.map((value) => {
    const times = (seen.get(value.name) ?? 0) + 1;
    seen.set(value.name, times);
    return { ...value, group: times === 1 ? value.name : `${value.name} #${times}` };
  });
}

function ratios(item) {
  const points = distinct(comparable(item)).map(({ group, relative, texts }) => ({
    group, series: "ours", value: relative, text: `${group}\npublished: ${texts.published}\nours: ${texts.ours}`,
  }));
  if (points.length === 0) return null;
  return chart({
    title: `${item.number}: ours relative to the published value (1)`,
    draw: (width, most) => bars(points, { width, most, label: "↑ ours / published", reference: 1, colours: { domain: ["ours"], range: ["var(--series-0)"] } }),
    plotted: { kind: "Bars", columns: [{ name: "value" }, { name: "ours relative to the published value", unit: "ratio" }], rows: () => points.map(({ group, value }) => [group, value]) },
  });
}

const textCell = (value, text) => h("td", { class: "number", "data-value": isNumber(value) ? value : null }, text || "–");

function values(item) {
  if (item.values.length === 0) return h("p", { class: "empty" }, "The paper gives no number in its text.");
  const header = ["value", ...["published", "ours", "difference"].map((text) => ({ text, number: true }))];
  const rows = item.values.map(({ name, published, ours, texts }) =>
    h("tr", {}, h("th", { scope: "row" }, name), textCell(published, texts.published), textCell(ours, texts.ours), textCell(null, texts.difference)));
  return table(header, rows, { caption: `${item.number}, published and ours` });
}

function itemView(item) {
  return [
    item.missing ? h("p", { class: "warning" }, `Not there yet: ${item.missing}.`) : null,
    values(item),
    ratios(item),
    item.drawings ? h("pre", { class: "code" }, item.drawings) : null,
    item.notes.map((note) => h("p", { class: "note" }, note)),
  ].flat();
}

function overview() {
  const all = paper.items.flatMap(comparable), count = paper.items.length;
  return [
    h("p", { class: "lead" }, `${paper.authors}: ${paper.title} (${paper.year})`),
    h("p", { class: "note" }, `Published values beside ours; workloads at size ${paper.size}. Every value of ours is simulated or computed; where it differs, the notes below a table say what is known of the reason.`),
    h("ul", { class: "cards" },
      card(count === paper.planned ? String(count) : `${count} of ${paper.planned}`, "figures, tables and sections"),
      card(numberText(all.length), "values that can be compared"),
      all.length ? card(`${all.filter(isClose).length} of ${all.length}`, `within ${percentText(close)} of the published`) : null,
      all.length ? card(percentText(median(all.map(({ relative }) => Math.abs(relative - 1)))), "median difference") : null),
    count < paper.planned ? h("p", { class: "warning" }, "The comparison ended before all of it was made: the same command goes on from here.") : null,
  ];
}

// [id, name among the page's links, view, title]
export const paperSections = () => [
  ["overview", "Overview", overview],
  ...paper.items.map((item, index) => [`item-${index}`, item.number, () => itemView(item), item.title]),
];
export const paperHeading = () => ({ name: `${paper.id}: ${paper.title}`, note: "A paper's evaluation beside ours" });
