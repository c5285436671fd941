// All kernels, each with a link to its own page; and that page.
import { data, isOneRun, kernelSubjects, metricOf, resultAt, settings } from "../data.js";
import { choice, details, h, table } from "../dom.js";
import { numberCell, numberText, percentText } from "../format.js";
import { slotColour, slotsOf, slotText, usedSlots } from "../slots.js";
import { stateful } from "../stateful.js";
import { legendOf } from "../charts/chart.js";
import { hasSlots, stallsView } from "./stalls.js";
import { dataView } from "./data.js";
import { limitsView } from "./limits.js";
import { sourceView } from "./source.js";
import { codeView, section as spe } from "./spe.js";

// What a reader looks at first; docs/timing.md and docs/profile.md define them. [metric, text, how it is written]
const keyFigures = [
  ["timing.counters.estimated_cycles", "core cycles"],
  ["timing.figures.warp_instructions_per_cycle", "warp instructions a cycle"],
  ["timing.figures.occupancy", "occupancy", percentText],
  ["registers_per_thread", "registers a thread"],
  ["static_shared_bytes", "static shared memory a block, B"],
  ["derived.warp_instructions", "warp instructions"],
  ["derived.simd_efficiency", "SIMD efficiency", percentText],
  ["derived.divergent_branch_share", "divergent branches", percentText],
  ["counters.spills.warp_loads", "spill loads"],
  ["counters.spills.warp_stores", "spill stores"],
  ["derived.global.loads.sectors_per_request", "global loads: sectors a request"],
  ["derived.global.loads.sector_efficiency", "global loads: bytes used", percentText],
  ["derived.global.stores.sectors_per_request", "global stores: sectors a request"],
  ["timing.figures.shared_passes_per_access", "shared memory: passes an access"],
  ["timing.figures.l1d_hit_rate", "L1 data cache hit rate", percentText],
  ["timing.figures.l2_hit_rate", "L2 hit rate", percentText],
  ["timing.figures.load_latency", "mean load latency, cycles"],
  ["timing.figures.dram_bytes_per_nanosecond", "DRAM, GB/s"],
  ["spe.cycles", "cycles of the SPE"],
  ["spe.instructions", "instructions"],
  ["spe.loads", "loads"],
  ["spe.stores", "stores"],
  ["spe.taken_branches", "taken branches"],
  ["spe.transfer_bytes", "bytes moved by transfers"],
  ["spe.registers", "registers at most"],
];
const overviewFigures = ["timing.counters.estimated_cycles", "timing.figures.warp_instructions_per_cycle", "derived.simd_efficiency", "timing.figures.l1d_hit_rate", "timing.figures.l2_hit_rate",
  "spe.cycles", "spe.instructions"];

const link = (subject) => `#kernel-${subject.index}`;
const present = (subject) => settings.map((setting) => resultAt(subject, setting)).filter(Boolean);

const timeOf = (subject) => metricOf(present(subject)[0], "timing.counters.estimated_cycles");

// Of one run, those that took longest come first, with their shares of the time of all.
function byTime() {
  if (!isOneRun || !kernelSubjects.some(timeOf)) return { subjects: kernelSubjects, share: null };
  const all = kernelSubjects.reduce((sum, subject) => sum + timeOf(subject), 0);
  return { subjects: kernelSubjects.toSorted((a, b) => timeOf(b) - timeOf(a)), share: (subject) => timeOf(subject) / all };
}

export function kernelsView() {
  const { subjects, share } = byTime();
  const columns = keyFigures.filter(([metric]) => overviewFigures.includes(metric))
    .filter(([metric]) => kernelSubjects.some((subject) => present(subject).some((result) => metricOf(result, metric) !== null)));
  const rows = subjects.map((subject) => {
    const first = present(subject)[0];
    return h("tr", {}, h("th", { scope: "row" }, h("a", { href: link(subject) }, subject.label)),
      share ? numberCell(share(subject), percentText) : null,
      columns.map(([metric, , text]) => numberCell(metricOf(first, metric), text ?? numberText)),
      h("td", {}, first.kernel.limits?.length ? first.kernel.limits[0].rule.replaceAll("_", " ") : ""),
      h("td", {}, first.kernel.findings.length ? `${first.kernel.findings.length}` : ""));
  });
  const header = ["kernel", ...(share ? [{ text: "of the time", number: true }] : []), ...columns.map(([, text]) => ({ text, number: true })), "limited by", "remarks"];
  return [table(header, rows, { caption: share ? "By their time, the longest first" : `Figures at ${settings[0].label}, or the first setting that has the kernel` })];
}

const settingColumn = ({ setting }) => ({ text: setting.label, title: setting.fullLabel === setting.label ? null : setting.fullLabel, number: true });

function figuresTable(results) {
  const rows = keyFigures.filter(([metric]) => results.some((result) => metricOf(result, metric) !== null)).map(([metric, text, format]) =>
    h("tr", {}, h("th", { scope: "row", title: metric }, text), results.map((result) => numberCell(metricOf(result, metric), format ?? numberText))));
  return table(["figure", ...results.map(settingColumn)], rows, { caption: "Key figures" });
}

function allNumbers(results) {
  return stateful({ filter: "" }, (state, change) => {
    const names = data.metrics.filter((name) => name.includes(state.filter));
    const rows = names.map((name) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, name)), results.map((result) => numberCell(metricOf(result, name)))));
    return [
      h("div", { class: "controls" }, h("label", {}, h("span", {}, "Names with"), h("input", { type: "search", value: state.filter, onchange: (event) => change({ filter: event.target.value.trim() }) }))),
      table(["metric", ...results.map(settingColumn)], rows, { caption: `${names.length} of ${data.metrics.length} metrics` }),
    ];
  });
}

// Cycles that were extrapolated say so; every other figure is of what was timed (docs/sampling.md).
function estimated(result) {
  const value = (name) => metricOf(result, `timing.estimate.${name}`);
  if (value("extrapolated") !== 1) return null;
  const low = value("low"), high = value("high"), timed = metricOf(result, "timing.sampled.timed_launches");
  const interval = high === null ? "without an interval, as too little was timed" : `between ${numberText(low ?? 0)} and ${numberText(high)} with 95 % confidence`;
  return h("p", {}, h("b", {}, "Estimated: "), `${numberText(value("cycles"))} core cycles, ${interval}. `,
    timed === null ? null : `${numberText(timed)} of ${numberText(metricOf(result, "timing.sampled.launches"))} launches were timed. `, "All other figures are of what was timed.");
}

function launches({ kernel }) {
  if (kernel.launches.length < 2) return null;
  return details(`${kernel.launches.length} launches`, () =>
    table([{ text: "launch", number: true }, "grid", { text: "core cycles", number: true }, { text: "warp instructions", number: true }],
      kernel.launches.map(([number, grid, cycles, instructions]) => h("tr", {}, numberCell(number), h("td", {}, grid.join(" × ")), numberCell(cycles), numberCell(instructions))), { caption: "Launches, in their order" }));
}

function findings({ kernel }) {
  if (kernel.findings.length === 0) return null;
  return h("section", {}, h("h3", {}, "What stands out"),
    h("ul", { class: "findings" }, kernel.findings.map((finding) => h("li", {}, finding.line ? h("b", {}, `line ${finding.line}: `) : null, finding.text))));
}

function annotated(results) {
  return stateful({ setting: String(results[0].setting.index) }, (state, change) => {
    const result = results.find((each) => String(each.setting.index) === state.setting);
    const names = usedSlots(slotsOf(result)).filter((name) => name !== "issued" && name !== "no_warp");
    return [
      results.length > 1 ? h("div", { class: "controls" }, choice("Setting", results.map((each) => [String(each.setting.index), each.setting.label, "", each.setting.fullLabel]), state.setting, (setting) => change({ setting }))) : null,
      estimated(result),
      ...limitsView(result.kernel),
      findings(result),
      launches(result),
      ...dataView(result.kernel),
      result.kernel.code ? null : h("h3", {}, "Source, with counts beside each line"),
      names.length ? h("p", { class: "note" }, "A lost issue slot is charged to the line that a warp waited to issue, not to what it waited for. Slots without a warp belong to no line.") : null,
      names.length ? legendOf(names.map((name) => ({ text: slotText(name), colour: slotColour(name) }))) : null,
      ...(result.kernel.code ? codeView(result.kernel.code) : sourceView(result.kernel)),
    ];
  });
}

// The page of a kernel: nothing where there is no such kernel.
export function kernelPage(index) {
  const subject = kernelSubjects[index];
  if (!subject) return null;
  const results = present(subject);
  return h("article", {},
    h("p", { class: "back" }, h("a", { href: "#kernels" }, "← all kernels")),
    h("h2", { tabindex: "-1" }, subject.label),
    h("p", { class: "note" }, h("code", {}, results[0].kernel.signature)),
    figuresTable(results),
    details("All numbers", () => allNumbers(results)),
    hasSlots(results) ? stallsView(results) : null,
    results[0].kernel.code ? spe.view(results) : null,
    annotated(results));
}
