// What loads and stores of private memory consist of while registers are taken away, with the traffic to global memory beside it: Figure 2 of
// Collange and Kouyoumdjian, "Affine Vector Cache for memory bandwidth savings", 2011. The figures are those of the observer memory-classes.
import { counterOf, results } from "../data.js";
import { choice, h } from "../dom.js";
import { counterText, numberCell } from "../format.js";
import { stateful } from "../stateful.js";
import { chart, legendOf } from "../charts/chart.js";
import { profiles } from "../charts/profiles.js";

const prefix = "mechanisms.memory_classes.";
const classes = ["zero", "uniform", "affine", "generic"];
const kinds = ["loads", "stores"].flatMap((way) =>
  classes.map((name) => ({ name: `${way}, ${name}`, metric: `${prefix}private.${way}.${name}`, colour: `var(--${way}-${name})` })));
const global = { name: "global", metric: `${prefix}global_lines`, colour: "var(--slot-no_warp)" };

const instructions = (result) => counterOf(result, `${prefix}instructions`);
// Null: the run has not counted it.
const rate = (result, kind) => {
  const count = counterOf(result, kind.metric);
  return count === null ? null : count / instructions(result);
};

const machines = new Set(results.map((result) => result.setting.machine));
const othersOf = ({ parameters }) => Object.entries(parameters).filter(([name]) => name !== "max_registers").map(([name, value]) => `${name} ${value}`);
// A kernel on a machine, with all that is swept beside the number of registers.
const groupOf = ({ subject, setting }) => [subject.label, ...(machines.size > 1 ? [setting.machine] : []), ...othersOf(setting)].join(" · ");
const registersOf = ({ setting }) => Number(setting.parameters.max_registers ?? Infinity);
const placeOf = (result) => (Number.isFinite(registersOf(result)) ? String(registersOf(result)) : "all");

// From the most registers to the fewest.
const ordered = (list) => [...list].sort((one, other) => registersOf(other) - registersOf(one));
const measured = () => ordered(results.filter((result) => instructions(result) > 0));

// Global traffic is that of the run with the most registers, which spills least.
function partsOf(list) {
  const groups = new Map();
  for (const result of list) if (!groups.has(groupOf(result))) groups.set(groupOf(result), result);
  const part = (result, at, kind) => ({ group: groupOf(result), at, name: kind.name, value: rate(result, kind), text: `${groupOf(result)}, ${at === global.name ? "global memory" : `${at} registers, ${kind.name}`}` });
  return [
    ...list.flatMap((result) => kinds.map((kind) => part(result, placeOf(result), kind))),
    ...[...groups.values()].map((result) => part(result, global.name, global)),
  ].filter(({ value }) => value > 0);
}

function numbersOf(list) {
  const columns = [...kinds, global];
  return {
    header: ["kernel", { text: "registers", number: true }, ...columns.map((kind) => ({ text: kind.name, number: true }))],
    rows: () => list.map((result) => h("tr", {}, h("th", { scope: "row" }, groupOf(result)), h("td", { class: "number" }, placeOf(result)), columns.map((kind) => numberCell(rate(result, kind), counterText)))),
  };
}

function drawing(programs, state, change) {
  const list = measured().filter((result) => result.subject.program === state.program);
  const parts = partsOf(list);
  const shown = [...kinds, global].filter((kind) => parts.some((part) => part.name === kind.name));
  return [
    h("div", { class: "controls" }, choice("Program", programs.map((name) => [name, name]), state.program, (program) => change({ program }))),
    chart({
      title: `${state.program}: vectors of private memory per warp instruction`,
      note: "A vector is a word of private memory of all lanes of a warp. At the right, for reference: lines of 128 bytes of global memory per warp instruction, with the most registers.",
      legend: legendOf(shown.map(({ name, colour }) => ({ text: name, colour }))),
      draw: (width, most) => profiles(parts, { width, most, groups: [...new Set(list.map(groupOf))], places: [...new Set(list.map(placeOf)), global.name], kinds: shown, label: "registers a thread may have" }),
      plotted: {
        kind: "Stacked bars", columns: [{ name: "kernel" }, { name: "registers" }, { name: "kind of access" }, { name: "vectors or lines", unit: "per warp instruction" }],
        rows: () => parts.map(({ group, at, name, value }) => [group, at, name, value]),
      },
      numbers: numbersOf(list),
    }),
  ];
}

const isThere = () => measured().length > 0;

// Begins with the program that has most of it.
function view() {
  const programs = [...new Set(results.filter((result) => instructions(result) > 0).map((result) => result.subject.program))];
  const most = (program) => Math.max(...measured().filter((result) => result.subject.program === program).map((result) => kinds.reduce((sum, kind) => sum + rate(result, kind), 0)));
  const first = programs.reduce((best, each) => (most(each) > most(best) ? each : best));
  return stateful({ program: first }, (state, change) => drawing(programs, state, change));
}

export const section = { id: "private-memory", title: "Private memory", isThere, view };
