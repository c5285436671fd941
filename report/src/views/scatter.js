// One quantity against another, a point a subject and setting.
import { hasMetric, pointsOf, quantities, quantityName, quantityUnit, settings, whose } from "../data.js";
import { checkbox, choice, h } from "../dom.js";
import { numberCell, numberText } from "../format.js";
import { settingName } from "../names.js";
import { stateful } from "../stateful.js";
import { chart, settingLegend } from "../charts/chart.js";
import { scatter } from "../charts/scatter.js";

const firstOf = (...names) => names.find((name) => hasMetric(name) || name.startsWith("column:")) ?? quantities[0][0];

function pairsOf(x, y) {
  const keyOf = (point) => `${point.subject.index} ${point.setting.index}`;
  const ofX = new Map(pointsOf(x).map((point) => [keyOf(point), point.value]));
  return pointsOf(y).filter((point) => ofX.has(keyOf(point))).map((point) => ({ ...point, x: ofX.get(keyOf(point)), y: point.value }));
}

function drawing(state, change) {
  const [x, y] = [quantityName(state.x), quantityName(state.y)];
  const pairs = pairsOf(state.x, state.y);
  const positive = pairs.every((pair) => (!state.logarithmicX || pair.x > 0) && (!state.logarithmicY || pair.y > 0));
  const points = pairs.filter((pair) => (!state.logarithmicX || pair.x > 0) && (!state.logarithmicY || pair.y > 0)).map((pair) => ({
    ...pair, series: pair.setting.label, text: `${pair.subject.label}\n${pair.setting.label}\n${x}: ${numberText(pair.x)}\n${y}: ${numberText(pair.y)}`,
  }));
  return [
    h("div", { class: "controls" },
      choice("Across", quantities, state.x, (value) => change({ x: value })),
      checkbox("logarithmic across", state.logarithmicX, (value) => change({ logarithmicX: value })),
      choice("Upward", quantities, state.y, (value) => change({ y: value })),
      checkbox("logarithmic upward", state.logarithmicY, (value) => change({ logarithmicY: value }))),
    points.length === 0 ? h("p", { class: "empty" }, "No kernel has both quantities.") :
    chart({
      title: `${y} against ${x}`,
      note: positive ? null : "Values that are not positive have no place on a logarithmic axis and are left out.",
      legend: settingLegend(settings, "symbol"),
      draw: (width) => scatter(points, { width, x: `${x} →`, y: `↑ ${y}`, logarithmicX: state.logarithmicX, logarithmicY: state.logarithmicY }),
      plotted: {
        kind: "Points", columns: [...whose, { name: x, unit: quantityUnit(state.x) }, { name: y, unit: quantityUnit(state.y) }],
        rows: () => points.map((point) => [point.subject.label, point.series, point.x, point.y]),
      },
      numbers: {
        header: ["program or kernel", "setting", { text: x, number: true }, { text: y, number: true }],
        rows: () => points.map((point) => h("tr", {}, h("th", { scope: "row" }, point.subject.label), h("td", {}, settingName(point.setting)), numberCell(point.x), numberCell(point.y))),
      },
    }),
  ];
}

export function scatterView() {
  const x = firstOf("timing.figures.memory_stalls", "timing.figures.data_dependence_stalls", "derived.simd_efficiency");
  const y = firstOf("timing.figures.warp_instructions_per_cycle", "derived.warp_instructions");
  return stateful({ x, y, logarithmicX: false, logarithmicY: false }, drawing);
}
