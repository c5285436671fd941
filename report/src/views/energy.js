// Energy by parts of the machine, of runs with the option energy (docs/energy.md).
import { baselineOf, baselines, data, metricOf, results, settings, whose } from "../data.js";
import { choice, h } from "../dom.js";
import { numberCell, percentText } from "../format.js";
import { settingName } from "../names.js";
import { stateful } from "../stateful.js";
import { chart, legendOf } from "../charts/chart.js";
import { stacks } from "../charts/stacks.js";

const shares = "shares";
const prefix = "timing.energy.units.";

// As many parts as there are colours; what is in none of them is a mechanism's.
const parts = {
  "SMs and instructions": ["sm", "instruction"],
  registers: ["register_file", "operand_collector"],
  pipes: ["pipe"],
  "lanes to memory, shared memory": ["coalescer", "data_crossbar", "shared_memory"],
  "first-level caches": ["l1d", "l1i", "l1c", "l15c", "texture_cache"],
  "L2, networks": ["l2", "llc", "network"],
  DRAM: ["dram"],
};
const mechanisms = "mechanisms";
const names = [...Object.keys(parts), mechanisms];
const colour = (name) => `var(--series-${names.indexOf(name)})`;
const partOf = (unit) => Object.keys(parts).find((name) => parts[name].includes(unit)) ?? mechanisms;

const isValue = (name) => name.startsWith(prefix) && name.endsWith(".value");
const units = data.metrics.filter(isValue).map((name) => name.slice(prefix.length, -".value".length));
const joules = (result, what, bound = "value") => metricOf(result, `timing.energy.${what}.${bound}`);

const measured = results.filter((result) => joules(result, "total") > 0);

function scaleOf(baseline) {
  if (baseline === shares) return (result) => joules(result, "total");
  const totals = new Map(measured.map((result) => [`${result.subject.index} ${result.setting.index}`, joules(result, "total")]));
  return (result) => totals.get(`${result.subject.index} ${baselineOf(result.setting, baseline)?.index}`);
}

function barsOf(scale) {
  return measured.flatMap((result) => {
    const whole = scale(result), all = joules(result, "total");
    if (!whole) return [];
    const sums = new Map(names.map((name) => [name, 0]));
    for (const unit of units) sums.set(partOf(unit), sums.get(partOf(unit)) + (joules(result, `units.${unit}`) ?? 0));
    return names.filter((name) => sums.get(name) > 0).map((name) => ({
      group: result.subject.label, series: result.setting.label, name, value: sums.get(name) / whole, share: sums.get(name) / all,
    }));
  });
}

const quantities = [["total", "energy, J"], ["power", "power, W"], ["energy_delay", "energy-delay, J s"], ["energy_delay_squared", "ED², J s²"]];

const numbers = {
  header: ["program or kernel", "setting", ...quantities.flatMap(([, text]) => [{ text, number: true }, { text: "from", number: true }, { text: "to", number: true }]),
    ...units.map((unit) => ({ text: `${unit}, J`, number: true }))],
  rows: () => measured.map((result) =>
    h("tr", {}, h("th", { scope: "row" }, result.subject.label), h("td", {}, settingName(result.setting)),
      quantities.flatMap(([what]) => ["value", "low", "high"].map((bound) => numberCell(joules(result, what, bound)))),
      units.map((unit) => numberCell(joules(result, `units.${unit}`))))),
};

function drawing(state, change) {
  const bars = barsOf(scaleOf(state.baseline));
  const used = names.filter((name) => bars.some((bar) => bar.name === name));
  const percent = state.baseline === shares;
  const groups = [...new Set(bars.map((bar) => bar.group))];
  const series = settings.map((setting) => setting.label).filter((label) => bars.some((bar) => bar.series === label));
  return [
    h("div", { class: "controls" },
      choice("Length of a bar", [[shares, "100 %: shares of its own energy"], ...baselines.map(([value, text]) => [value, `energy relative to ${text}`])],
        state.baseline, (baseline) => change({ baseline }))),
    chart({
      title: percent ? "Where the energy goes, %" : "Energy, relative to the baseline (1)",
      note: "Events that were simulated, times what each costs by the table of energies that the run named. What is known of a cost is a range: the numbers have it.",
      legend: legendOf(used.map((name) => ({ text: name, colour: colour(name) }))),
      draw: (width, most) => stacks(bars, { width, most, groups, series, names: used, percent, colour, text: ({ name, share }) => `${name}: ${percentText(share)}` }),
      plotted: {
        kind: "Stacked bars", columns: [...whose, { name: "part of the machine" }, { name: "energy", unit: percent ? "%" : "relative to the baseline" }],
        rows: () => bars.map(({ group, series, name, value }) => [group, series, name, percent ? 100 * value : value]),
      },
      numbers,
    }),
  ];
}

const isThere = () => measured.length > 0;
const view = () => stateful({ baseline: shares }, drawing);
export const section = { id: "energy", title: "Energy", isThere, view };
