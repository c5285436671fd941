// Programs on an SPE of the Cell processor (docs/spe.md): what their cycles were spent on, and where in their code.
import { baselineOf, baselines, hasMetric, metricOf, results, settings, whose } from "../data.js";
import { choice, h } from "../dom.js";
import { counterText, numberCell, numberText, percentText } from "../format.js";
import { settingName } from "../names.js";
import { stateful } from "../stateful.js";
import { chart, legendOf } from "../charts/chart.js";
import { stacks } from "../charts/stacks.js";

const shares = "shares";

// What a cycle is spent on, with the colour of the issue slot of a GPU that is most like it.
const kinds = [
  { name: "two issue", colour: "issued", count: (of) => of("dual_issues") },
  { name: "one issues", colour: "sub_warps", count: (of) => of("issue_cycles") - of("dual_issues") },
  ...[["load_result", "waits for a load", "memory_dependence"], ["local_store", "local store busy", "memory_structural"], ["dma", "waits for a transfer", "held_back"],
    ["result", "waits for a result", "compute_dependence"], ["branch", "branch", "barrier"], ["fetch", "instruction fetch", "fetch"]]
    .map(([key, name, colour]) => ({ name, key, colour, count: (of) => of(`stalls.${key}`) })),
];
const colourOf = (name) => `var(--slot-${kinds.find((kind) => kind.name === name).colour})`;

const countOf = (result) => (name) => metricOf(result, `spe.${name}`) ?? 0;
const cycles = (result) => metricOf(result, "spe.cycles");
const ofSpe = (list) => list.filter((result) => cycles(result) > 0);

function scaleOf(list, baseline) {
  if (baseline === shares) return cycles;
  const all = new Map(list.map((result) => [`${result.subject.index} ${result.setting.index}`, cycles(result)]));
  return (result) => all.get(`${result.subject.index} ${baselineOf(result.setting, baseline)?.index}`);
}

function partsOf(list, scale) {
  return list.flatMap((result) => {
    const whole = scale(result);
    if (!whole) return [];
    return kinds.map((kind) => ({ name: kind.name, count: kind.count(countOf(result)) })).filter(({ count }) => count > 0).map(({ name, count }) => ({
      group: result.subject.label, series: result.setting.label, name, value: count / whole, share: count / cycles(result),
    }));
  });
}

const numbersOf = (list) => ({
  header: ["program", "setting", { text: "cycles", number: true }, ...kinds.map(({ name }) => ({ text: name, number: true }))],
  rows: () => list.map((result) =>
    h("tr", {}, h("th", { scope: "row" }, result.subject.label), h("td", {}, settingName(result.setting)), numberCell(cycles(result)),
      kinds.map((kind) => numberCell(kind.count(countOf(result)), counterText)))),
});

function drawing(list, state, change) {
  const parts = partsOf(list, scaleOf(list, state.baseline));
  const names = kinds.map(({ name }) => name).filter((name) => parts.some((part) => part.name === name));
  const percent = state.baseline === shares;
  const groups = [...new Set(parts.map((part) => part.group))];
  const series = settings.map((setting) => setting.label).filter((label) => parts.some((part) => part.series === label));
  return [
    h("div", { class: "controls" },
      choice("Length of a bar", [[shares, "100 %: shares of its own cycles"], ...baselines.map(([value, text]) => [value, `cycles relative to ${text}`])],
        state.baseline, (baseline) => change({ baseline }))),
    chart({
      title: percent ? "What the cycles of an SPE were spent on, %" : "What the cycles of an SPE were spent on, relative to the baseline (1)",
      note: "In a cycle the SPU issues one instruction, or two, or it waits for what is named.",
      legend: legendOf(names.map((name) => ({ text: name, colour: colourOf(name) }))),
      draw: (width, most) => stacks(parts, { width, most, groups, series, names, percent, colour: colourOf, text: ({ name, share }) => `${name}: ${percentText(share)}` }),
      plotted: {
        kind: "Stacked bars", columns: [...whose, { name: "spent on" }, { name: "cycles", unit: percent ? "%" : "relative to the baseline" }],
        rows: () => parts.map(({ group, series, name, value }) => [group, series, name, percent ? 100 * value : value]),
      },
      numbers: numbersOf(list),
    }),
  ];
}

const view = (list = results) => stateful({ baseline: shares }, (state, change) => drawing(ofSpe(list), state, change));
export const section = { id: "spe", title: "SPE", isThere: () => hasMetric("spe.cycles"), view };

const lostOf = (line) => Object.values(line.lost).reduce((total, count) => total + count, 0);

// The lost cycles of an instruction as a bar; its length is a share of the worst one's.
function lostBar(line, worst) {
  const parts = kinds.filter(({ key }) => line.lost[key]);
  if (parts.length === 0) return null;
  const text = parts.map(({ key, name }) => `${name}: ${numberText(line.lost[key])}`).join(", ");
  return h("span", { class: "lost", title: text, role: "img", "aria-label": text, style: `width: ${(100 * lostOf(line)) / worst}%` },
    parts.map(({ key, name }) => h("span", { style: `flex: ${line.lost[key]}; background: ${colourOf(name)}` })));
}

const bytesOfInstruction = 4;

// What stands between two lines of the listing: the label of the second, or how many instructions were left out.
function between(line, last) {
  const left = last ? (line.address - last.address) / bytesOfInstruction - 1 : 0;
  const text = line.label ? `${line.label}:` : left > 0 ? `… ${numberText(left)} instructions before which less was lost` : "";
  return text ? h("tr", { class: "gap" }, h("td", { colspan: 5 }, h("code", {}, text))) : null;
}

// The listing of a program, with how often each instruction was issued and the cycles in which nothing was issued before it; of long code the
// instructions before which the most cycles were lost.
export function codeView({ instructions, lines }) {
  const worst = Math.max(1, ...lines.map(lostOf));
  const rows = lines.flatMap((line, place) => [
    between(line, lines[place - 1]),
    h("tr", { class: "counted" }, h("td", { class: "number" }, line.address.toString(16).padStart(5, "0")), h("td", { class: "text" }, line.text),
      numberCell(line.times), numberCell(lostOf(line)), h("td", { class: "bar" }, lostBar(line, worst))),
  ]).filter(Boolean);
  const caption = lines.length < instructions ? `${numberText(lines.length)} of ${numberText(instructions)} instructions` : `${numberText(instructions)} instructions`;
  const header = [["at", "number"], ["instruction"], ["times", "number"], ["lost cycles", "number"], ["lost to"]].map(([text, name]) => h("th", { scope: "col", class: name ?? null }, text));
  return [h("h3", {}, "Code, with what was lost before each instruction"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Code" },
      h("table", { class: "source" }, h("caption", {}, caption), h("thead", {}, h("tr", {}, header)), h("tbody", {}, rows)))];
}
