// Any quantity of every subject at every setting, normalised to a baseline or as it is.
import { baselines, data, geometricMeans, normalised, pointsOf, quantities, quantityName, quantityUnit, settings, whose } from "../data.js";
import { choice, h } from "../dom.js";
import { numberCell, numberText } from "../format.js";
import { settingName } from "../names.js";
import { stateful } from "../stateful.js";
import { bars } from "../charts/bars.js";
import { chart, settingLegend } from "../charts/chart.js";

const absolute = "absolute";

function firstQuantity() {
  const names = quantities.map(([value]) => value);
  const column = data.experiment.columns.find((each) => !/baseline\./.test(each.value));
  return column ? `column:${column.name}` : names.find((name) => name === "timing.counters.cycles") ?? names[0];
}

function textOf(point, name, relative) {
  const value = relative ? `${numberText(point.value)} of the baseline (${numberText(point.absolute)})` : numberText(point.value);
  return `${point.subject.label}\n${point.setting.label}\n${name}: ${value}`;
}

function numbersOf(points, name, relative) {
  return {
    header: ["program or kernel", "setting", { text: name, number: true }, ...(relative ? [{ text: "normalised", number: true }] : [])],
    rows: () => points.map((point) =>
      h("tr", {}, h("th", { scope: "row" }, point.subject.label), h("td", {}, settingName(point.setting)),
        numberCell(relative ? point.absolute : point.value), relative ? numberCell(point.value) : null)),
  };
}

function drawing(state, change) {
  const relative = state.baseline !== absolute;
  const name = quantityName(state.quantity);
  const all = pointsOf(state.quantity);
  const points = relative ? normalised(all, state.baseline) : all;
  const drawn = points.map((point) => ({ group: point.subject.label, series: point.setting.label, value: point.value, text: textOf(point, name, relative) }));
  if (relative && new Set(drawn.map((point) => point.group)).size > 1)
    for (const mean of geometricMeans(points))
      drawn.push({ group: "geometric mean", series: mean.setting.label, value: mean.value, text: `geometric mean of ${mean.count}\n${mean.setting.label}\n${name}: ${numberText(mean.value)} of the baseline` });
  const left = all.length - points.length;
  return [
    h("div", { class: "controls" },
      choice("Quantity", quantities, state.quantity, (quantity) => change({ quantity })),
      choice("Compared with", [[absolute, "nothing: values as they are"], ...baselines], state.baseline, (baseline) => change({ baseline }))),
    drawn.length === 0 ? h("p", { class: "empty" }, `There is nothing to draw: ${name} has no value${relative ? " or is zero at the baseline" : ""}.`) :
    chart({
      title: relative ? `${name}, normalised to the baseline` : name,
      note: left > 0 && relative ? `${left} of ${all.length} values are left out: they have no baseline, or a zero there.` : null,
      legend: settingLegend(settings.filter((setting) => points.some((point) => point.setting === setting))),
      draw: (width, most) => bars(drawn, { width, most, label: relative ? "↑ relative to the baseline (1)" : `↑ ${name}`, reference: relative ? 1 : undefined }),
      plotted: {
        kind: "Bars", columns: [...whose, relative ? { name: `${name} relative to the baseline`, unit: "ratio" } : { name, unit: quantityUnit(state.quantity) }],
        rows: () => drawn.map(({ group, series, value }) => [group, series, value]),
      },
      numbers: numbersOf(points, name, relative),
    }),
  ];
}

// Where nothing can differ, nothing is compared.
const firstBaseline = () => (settings.length > 1 ? baselines[0][0] : absolute);

export const resultsView = () => stateful({ quantity: firstQuantity(), baseline: firstBaseline() }, drawing);
