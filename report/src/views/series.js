// How a program's run goes over its cycles, setting beside setting.
import { data, settingOf } from "../data.js";
import { choice, h } from "../dom.js";
import { numberText } from "../format.js";
import { slotColour, slotText } from "../slots.js";
import { stateful } from "../stateful.js";
import { chart, legendOf, settingLegend } from "../charts/chart.js";
import { seriesAreas, seriesLines } from "../charts/series.js";

const interval = [{ name: "from", unit: "core cycles" }, { name: "until", unit: "core cycles" }];

const ratio = (part, whole) => (whole > 0 ? part / whole : null);
const slots = "slots";

// Each figure, of a row of the series.
const figures = {
  "warp instructions a cycle": { unit: "1/cycle", of: (row) => ratio(row.warp_instructions, row.cycles) },
  "resident warps an SM": { unit: "warps", of: (row) => ratio(row.resident_warp_cycles, row.sm_cycles) },
  "L1 data cache hit rate": { unit: "share", of: (row) => ratio(row.l1d_hits, row.l1d_accesses) },
  "L2 hit rate": { unit: "share", of: (row) => ratio(row.l2_hits, row.l2_accesses) },
  "DRAM bytes a cycle": { unit: "B/cycle", of: (row) => ratio(row.dram_bytes, row.cycles) },
};

// The series of a program: a setting, rows by column name and launches where the data has them.
function seriesOf(program) {
  const byRun = new Map(data.series.map((series) => [series.run, series]));
  return data.runs.filter((run) => run.program === program && byRun.has(run.run)).map((run) => {
    const { columns, rows, launches = [] } = byRun.get(run.run), setting = settingOf(run);
    return { setting, launches: launches.map((launch) => ({ ...launch, series: setting.label })), rows: rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))) };
  });
}

const kTexts = 3;  // names of kernels in a tip
function kernelsText(launches, { from, until }) {
  const names = [...new Set(launches.filter(({ begin, end }) => begin < until && end > from).map(({ name }) => name))];
  return names.slice(0, kTexts).join(", ") + (names.length > kTexts ? ", …" : "");
}

const launchesOf = (all) => all.flatMap(({ launches }) => launches);

function lines(all, figure) {
  const points = all.flatMap(({ setting, rows, launches }) => rows.map((row) => {
    const value = figures[figure].of(row);
    return { series: setting.label, from: row.from, until: row.until, value, text: [`${figure}: ${numberText(value)}`, kernelsText(launches, row)].filter(Boolean).join("\n") };
  }));
  return {
    draw: (width) => seriesLines(points, { width, label: `↑ ${figure}`, launches: launchesOf(all) }), legend: settingLegend(all.map(({ setting }) => setting)),
    plotted: {
      kind: "Lines", columns: [{ name: "setting" }, ...interval, { name: figure, unit: figures[figure].unit }],
      rows: () => points.map(({ series, from, until, value }) => [series, from, until, value]),
    },
  };
}

function areas(all) {
  const names = data.slots.filter((name) => all.some(({ rows }) => rows.some((row) => row[`slots.${name}`] > 0)));
  const parts = all.flatMap(({ setting, rows }) => rows.flatMap((row) => {
    const whole = data.slots.reduce((total, name) => total + row[`slots.${name}`], 0);
    return names.map((name) => ({ series: setting.label, from: row.from, until: row.until, name, share: ratio(row[`slots.${name}`], whole) ?? 0 }));
  }));
  return {
    draw: (width, most) => seriesAreas(parts, { width, most, series: all.map(({ setting }) => setting.label), names, launches: launchesOf(all) }),
    legend: legendOf(names.map((name) => ({ text: slotText(name), colour: slotColour(name) }))),
    plotted: {
      kind: "Areas", columns: [{ name: "setting" }, { name: "kind of slot" }, ...interval, { name: "issue slots", unit: "%" }],
      rows: () => parts.map(({ series, name, from, until, share }) => [series, slotText(name), from, until, 100 * share]),
    },
  };
}

function drawing(programs, state, change) {
  const all = seriesOf(state.program);
  const { draw, legend, plotted } = state.figure === slots ? areas(all) : lines(all, state.figure);
  const longest = Math.max(...all.flatMap(({ rows }) => rows.slice(0, 1).map((row) => row.until - row.from)));
  return [
    h("div", { class: "controls" },
      choice("Program", programs.map((name) => [name, name]), state.program, (program) => change({ program })),
      choice("Figure", [...Object.keys(figures).map((name) => [name, name]), [slots, "issue slots"]], state.figure, (figure) => change({ figure }))),
    chart({ title: `${state.program}: ${state.figure === slots ? "issue slots" : state.figure}`, note: `A point for up to ${numberText(longest)} core cycles, over all kernels of the program.`, legend, draw, plotted }),
  ];
}

export function seriesView() {
  const keeping = new Set(data.series.map((series) => series.run));
  const programs = [...new Set(data.runs.filter((run) => keeping.has(run.run)).map((run) => run.program))];
  if (programs.length === 0)
    return h("p", { class: "empty" }, "No run kept a time series. Add ", h("code", {}, "interval = 1000"), " under ", h("code", {}, "[options]"), " of the experiment for a row for every 1000 core cycles.");
  return stateful({ program: programs[0], figure: Object.keys(figures)[0] }, (state, change) => drawing(programs, state, change));
}
