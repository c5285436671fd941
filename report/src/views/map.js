// A quantity over two swept parameters, as figure 9 of Sankaranarayanan and others, "An Energy Efficient GPGPU Memory Hierarchy with Tiny
// Incoherent Caches", has energy over the number of lines and their size.
import { baselines, data, geometricMeans, normalised, pointsOf, quantities, quantityName, quantityUnit, settings } from "../data.js";
import { choice, h } from "../dom.js";
import { numberCell, numberText } from "../format.js";
import { stateful } from "../stateful.js";
import { chart, legendOf } from "../charts/chart.js";
import { mapSteps, rangeOf, valueMap } from "../charts/value-map.js";

const absolute = "absolute", everySubject = "all";

const unique = (values) => [...new Set(values)];
// Numbers from small to large, others in the order of the runs.
function valuesOf(parameter) {
  const values = unique(settings.map(({ parameters }) => parameters[parameter]).filter((value) => value !== undefined));
  return values.some((value) => Number.isNaN(Number(value))) ? values : values.sort((one, other) => one - other);
}
const swept = data.experiment.parameters.filter((parameter) => valuesOf(parameter).length > 1);

// Where else the settings are: all of a setting but the two parameters.
function planeOf(setting, { across, down }) {
  const others = Object.entries(setting.parameters).filter(([name]) => name !== across && name !== down);
  return [setting.machine, ...others.map(([name, value]) => `${name} ${value}`)].join(" · ");
}

const isRelative = ({ value }) => /baseline\./.test(value);

// A column that is compared with the baseline already; else one that is yet to be.
function firstState() {
  const { columns } = data.experiment;
  const column = columns.find(isRelative) ?? columns[0];
  return {
    quantity: column ? `column:${column.name}` : quantities[0][0],
    baseline: column && isRelative(column) ? absolute : baselines[0][0],
    subject: everySubject, down: swept[0], across: swept[1], plane: null,
  };
}

const meanText = ({ count }, subjects) => `geometric mean of ${count === subjects ? count : `${count} of ${subjects}`}`;

// { setting, value, text } of what is chosen.
function valuesOfSubject(points, subject) {
  const count = unique(points.map((point) => point.subject)).length;
  if (subject === everySubject) return geometricMeans(points).map((mean) => ({ ...mean, text: meanText(mean, count) }));
  return points.filter((point) => String(point.subject.index) === subject).map((point) => ({ ...point, text: point.subject.label }));
}

function cellsOf(values, state, name) {
  return values.filter(({ setting }) => planeOf(setting, state) === state.plane).map(({ setting, value, text }) => {
    const across = setting.parameters[state.across], down = setting.parameters[state.down];
    return { across, down, value, text: [text, `${state.down} ${down}`, `${state.across} ${across}`, `${name}: ${numberText(value)}`].join("\n") };
  });
}

const numbersOf = (cells, { down, across }, name) => ({
  header: [down, across, { text: name, number: true }],
  rows: () => cells.map((cell) => h("tr", {}, h("th", { scope: "row" }, cell.down), h("td", {}, cell.across), numberCell(cell.value))),
});

// Of one of the two parameters: where it is chosen to be the other one, they change places.
function parameterChoice(label, key, other, state, change) {
  return choice(label, swept.map((name) => [name, name]), state[key], (name) =>
    change({ [key]: name, [other]: name === state[other] ? state[key] : state[other], plane: null }));
}

function drawing(state, change) {
  const planes = unique(settings.map((setting) => planeOf(setting, state)));
  const chosen = { ...state, plane: state.plane ?? planes[0] };
  const relative = state.baseline !== absolute, name = quantityName(state.quantity);
  const all = pointsOf(state.quantity), points = relative ? normalised(all, state.baseline) : all;
  const subjects = [...new Map(all.map(({ subject }) => [String(subject.index), subject.label]))];
  const cells = cellsOf(valuesOfSubject(points, state.subject), chosen, name);
  const title = relative ? `${name}, relative to the baseline (1)` : name;
  return [
    h("div", { class: "controls" },
      choice("Quantity", quantities, state.quantity, (quantity) => change({ quantity, subject: everySubject })),
      choice("Compared with", [[absolute, "nothing: values as they are"], ...baselines], state.baseline, (baseline) => change({ baseline })),
      choice("Of", [[everySubject, "all: geometric mean"], ...subjects], state.subject, (subject) => change({ subject })),
      parameterChoice("Down", "down", "across", state, change),
      parameterChoice("Across", "across", "down", state, change),
      planes.length > 1 ? choice("Where", planes.map((plane) => [plane, plane]), chosen.plane, (plane) => change({ plane })) : null),
    cells.length === 0 ? h("p", { class: "empty" }, `There is nothing to draw: ${name} has no value that is positive${relative ? ", or none at the baseline" : ""}.`) :
    chart({
      title,
      note: "* the least. A mean is of the kernels or programs that have a value; one that is not positive has none.",
      legend: legendOf(mapSteps(rangeOf(cells))),
      draw: (width) => valueMap(cells, { width, columns: valuesOf(state.across), rows: valuesOf(state.down), across: state.across, down: state.down }),
      plotted: {
        kind: "Map", columns: [{ name: state.down }, { name: state.across }, relative ? { name: `${name} relative to the baseline`, unit: "ratio" } : { name, unit: quantityUnit(state.quantity) }],
        rows: () => cells.map(({ down, across, value }) => [down, across, value]),
      },
      numbers: numbersOf(cells, state, name),
    }),
  ];
}

const isThere = () => swept.length > 1;
const view = () => stateful(firstState(), drawing);

export const section = { id: "map", title: "Map", isThere, view };
