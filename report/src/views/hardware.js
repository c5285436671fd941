// A GPU beside the simulator: times of kernels, what was counted of them, and how the errors have changed.
import { data } from "../data.js";
import { h, table } from "../dom.js";
import { numberCell, numberText, percentText, ratioText } from "../format.js";
import { byError, comparisonsOf, deviations, errorOf, halves, kernelName, kernelText } from "../hardware.js";
import { chart, settingLegend } from "../charts/chart.js";
import { ranked } from "../charts/ranked.js";
import { revisionLines } from "../charts/revisions.js";
import { scatter } from "../charts/scatter.js";

const { hardware } = data;
const shownHalves = () => halves.filter(({ label }) => hardware.half === null || hardware.half === label);
const legend = () => settingLegend(shownHalves(), "symbol");

const number = (text, title) => ({ text, number: true, title });
const signedPercent = (value) => `${value > 0 ? "+" : ""}${percentText(value)}`;
const card = (value, text) => h("li", {}, h("b", {}, value), h("span", {}, text));

// Columns that say which kernel it is.
const whose = ["kernel", "size", "half"];
const whoseCells = (each) => [h("th", { scope: "row" }, kernelName(each)), h("td", {}, each.size), h("td", {}, each.half)];
const whoseValues = (each) => [kernelText(each), each.half];
const whoseColumns = [{ name: "kernel" }, { name: "half" }];

function errorTable() {
  const header = ["half", "size", number("kernels"), number("mean |error|"), number("median |error|"), number("simulated / GPU", "the geometric mean"), number("correlation", "of the logarithms of times")];
  const rows = hardware.errors.map(({ half, size, kernels, mean, median, factor, correlation }) =>
    h("tr", {}, h("th", { scope: "row" }, half ?? "both"), h("td", {}, size ?? "all"), numberCell(kernels), numberCell(mean, percentText), numberCell(median, percentText), numberCell(factor, ratioText), numberCell(correlation, ratioText)));
  return table(header, rows, { caption: "How far simulated times are from the GPU's, by half and size" });
}

function overview() {
  const { errors, done, planned, warning, gpu, machine, measured, kernels, instructions } = hardware;
  const all = errors.find(({ half, size }) => half === hardware.half && size === null);
  const count = kernels.length || instructions.length;
  return [
    h("p", { class: "lead" }, `${gpu} beside the machine ${machine}`),
    h("p", { class: "note" }, `What was measured lies in ${measured}; sizes ${hardware.sizes.join(" and ")}. A kernel's launches are added up.`),
    h("p", { class: "note" }, hardware.half === null
      ? "Every kernel belongs to one half, by its name. What is changed for the sake of errors looks at the half “development”; “held-back” says afterwards whether others have got smaller too."
      : `Of the half “${hardware.half}” alone.`),
    h("ul", { class: "cards" },
      card(done === planned ? String(done) : `${done} of ${planned}`, "runs of programs"),
      card(numberText(count), "kernels and sizes"),
      all ? [card(percentText(all.mean), "mean of |error|"), card(percentText(all.median), "median of |error|")] : null),
    done < planned ? h("p", { class: "warning" }, "The comparison has not come to its end: programs are missing.") : null,
    warning ? h("p", { class: "warning" }, `Warning: ${warning}`) : null,
    errors.length ? errorTable() : null,
  ];
}

function times() {
  const points = hardware.kernels.map((each) => ({
    ...each, x: each.gpu, y: each.ours, series: each.half, text: `${kernelText(each)}\n${each.half}\nGPU: ${numberText(each.gpu)} us\nsimulated: ${numberText(each.ours)} us\n${signedPercent(errorOf(each))}`,
  }));
  const header = [...whose, number("launches"), number("GPU (us)"), number("simulated (us)"), number("error"), number("code (us)", "for how long SMs waited for instructions")];
  const rows = byError(hardware.kernels).map((each) =>
    h("tr", {}, whoseCells(each), numberCell(each.launches), numberCell(each.gpu), numberCell(each.ours), numberCell(errorOf(each), signedPercent), numberCell(each.code)));
  return [
    chart({
      title: "Simulated time against the GPU's",
      note: "On the line they are equal.",
      legend: legend(),
      draw: (width) => scatter(points, { width, x: "GPU (us) →", y: "↑ simulated (us)", logarithmicX: true, logarithmicY: true, series: shownHalves(), equality: true }),
      plotted: { kind: "Points", columns: [...whoseColumns, { name: "GPU", unit: "us" }, { name: "simulated", unit: "us" }], rows: () => points.map((point) => [...whoseValues(point), point.x, point.y]) },
    }),
    table(header, rows, { caption: "Times of kernels, the largest error first" }),
  ];
}

// `title`: of the chart.
function deviationChart(counter, title) {
  const { points, leftOut } = deviations(counter), isShare = counter.is_share;
  if (points.length === 0) return h("p", { class: "empty" }, `${title}: of no kernel did both sides count anything.`);
  const [quantity, unit, valueText] = isShare ? ["simulated - GPU", "points", (value) => numberText(Number(value.toFixed(2)))] : ["simulated / GPU", "ratio", ratioText];
  const shown = points.map((each) => ({ ...each, series: each.half, text: `${kernelText(each)}\n${each.half}\nGPU: ${numberText(each.gpu)}\nsimulated: ${numberText(each.ours)}\n${valueText(each.value)}` }));
  return chart({
    title,
    note: leftOut ? `Left out: ${leftOut} of which one side counted nothing.` : null,
    legend: legend(),
    draw: (width) => ranked(shown, { width, x: `${shown.length} kernels in this order →`, y: `↑ ${quantity} (${unit})`, reference: isShare ? 0 : 1, logarithmic: !isShare, series: shownHalves() }),
    plotted: { kind: "Points", columns: [...whoseColumns, { name: quantity, unit }], rows: () => shown.map((each) => [...whoseValues(each), each.value]) },
    numbers: {
      header: [...whose, number("GPU"), number("simulated"), number(quantity)],
      rows: () => shown.map((each) => h("tr", {}, whoseCells(each), numberCell(each.gpu), numberCell(each.ours), numberCell(each.value, valueText))),
    },
  });
}

const charts = (counters, titleOf) => h("div", { class: "pair" }, counters.map((counter) => deviationChart(counter, titleOf(counter))));

const counters = () => [
  h("p", { class: "note" }, "What the GPU counted of each kernel beside what the simulator counts of it: by which factor they differ, or, of shares, by how many points of a hundred."),
  charts(hardware.counters, ({ name }) => `${name[0].toUpperCase()}${name.slice(1)}`),
];

// The classes of which there is most.
function mostOf(classes) {
  const parts = Object.entries(classes), total = parts.reduce((sum, [, count]) => sum + count, 0);
  return parts.sort(([, one], [, other]) => other - one).slice(0, 3).map(([name, count]) => `${name} ${percentText(count / total)}`).join(", ");
}

function instructions() {
  const ratioOf = ([gpu, ours]) => ours / gpu;
  const known = hardware.instructions.map((each) => ({ ...each, pair: each.pairs[hardware.executed[0].name] })).sort((one, other) => ratioOf(other.pair) - ratioOf(one.pair));
  const rows = known.map((each) =>
    h("tr", {}, whoseCells(each), numberCell(each.launches), each.pair.map((count) => numberCell(count)), numberCell(ratioOf(each.pair), ratioText), h("td", {}, mostOf(each.classes))));
  return [
    h("p", { class: "note" }, "Instructions that the GPU's compiler and ours make warps execute of the same kernel. A time that is too long may have its reason here, and not in the machine."),
    charts(hardware.executed, ({ name }) => `Executed: ${name}`),
    table([...whose, number("launches"), number("GPU"), number("simulated"), number("simulated / GPU"), "most of the simulated"], rows, { caption: "Executed warp instructions, what the simulator executes most too much of first" }),
  ];
}

function historyChart({ revisions, rows }, figure) {
  const points = rows.map((row) => ({ ...row, series: row.half, value: 100 * row[figure], text: `${row.revision}, ${row.date}\n${row.half}, ${row.kernels} kernels\n${percentText(row[figure])}` }));
  return chart({
    title: `The ${figure} of |error| by revision`,
    legend: settingLegend(halves, "symbol"),
    draw: (width) => revisionLines(points, { width, label: `↑ ${figure} of |error| (%)`, revisions, series: halves }),
    plotted: { kind: "Lines", columns: [{ name: "revision" }, { name: "half" }, { name: `${figure} of |error|`, unit: "%" }], rows: () => points.map((point) => [point.revision, point.half, point.value]) },
  });
}

function history() {
  const compared = comparisonsOf(hardware.history);
  const rows = hardware.history.map((row) =>
    h("tr", {}, h("th", { scope: "row" }, row.revision), h("td", {}, row.date), h("td", {}, row.half), numberCell(row.kernels), numberCell(row.mean, percentText), numberCell(row.median, percentText)));
  return [
    h("p", { class: "note" }, "All comparisons of this machine with this GPU that were kept. A + behind a revision: sources had been changed since."),
    h("div", { class: "pair" }, historyChart(compared, "mean"), historyChart(compared, "median")),
    table(["revision", "date", "half", number("kernels"), number("mean |error|"), number("median |error|")], rows, { caption: "Errors by revision and half" }),
  ];
}

// [id, name among the page's links, view]
export const hardwareSections = () => [
  ["overview", "Overview", overview],
  ...(hardware.kernels.length ? [["times", "Times", times]] : []),
  ...(hardware.counters.length ? [["counters", "Counters", counters]] : []),
  ...(hardware.instructions.length ? [["instructions", "Instructions", instructions]] : []),
  ...(hardware.history.length ? [["history", "History", history]] : []),
];
export const hardwareHeading = () => ({ name: `${hardware.machine} beside ${hardware.gpu}`, note: "A GPU beside the simulator" });
