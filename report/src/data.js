// The page's data (docs/report.md, "The page's data") and what follows from it.
import { keysIn, shortener } from "./names.js";
import { unitOf } from "./units.js";

// What a page without an experiment has of it: nothing.
const noExperiment = { experiment: { columns: [], parameters: [], baseline: {} }, runs: [], kernels: [], slots: [], metrics: [], zero_metrics: [], rows: [], means: [] };

export const data = { ...noExperiment, ...JSON.parse(document.getElementById("data").textContent) };

function nameOf({ paper, hardware, experiment }) {
  if (paper) return `paper ${paper.id}`;
  return hardware ? `hardware ${hardware.machine}` : experiment.name;
}
// What files that the page makes are named after.
export const pageName = nameOf(data);

export const isOneRun = data.runs.length === 1;

const textOf = (parameters) => Object.entries(parameters).map(([name, value]) => `${name} ${value}`).join(", ");
const { shortName, shortText } = shortener(data.runs.flatMap((run) => [...keysIn(run.machine), ...Object.keys(run.parameters)]));
const shortParameters = (parameters) => Object.fromEntries(Object.entries(parameters).map(([name, value]) => [shortName(name), shortText(value)]));
export const machineText = shortText;
const keyOf = (machine, parameters) => JSON.stringify([machine, Object.entries(parameters).sort()]);

function uniqueBy(items, key) {
  const seen = new Map();
  for (const item of items) if (!seen.has(key(item))) seen.set(key(item), item);
  return [...seen.values()];
}

const machines = new Set(data.runs.map((run) => run.machine));

const labelOf = (machine, parameters) => (parameters && machines.size === 1 ? parameters : [machine, parameters].filter(Boolean).join(" · "));

// A setting: a machine with one combination of the swept parameters. Charts give each a colour.
export const settings = uniqueBy(data.runs, (run) => keyOf(run.machine, run.parameters)).map(({ machine, parameters }, index) => ({
  index, machine, parameters, key: keyOf(machine, parameters),
  label: labelOf(shortText(machine), textOf(shortParameters(parameters))), fullLabel: labelOf(machine, textOf(parameters)),
}));
const fullLabels = new Map(settings.map(({ label, fullLabel }) => [label, fullLabel]));
export const fullLabelOf = (label) => fullLabels.get(label) ?? label;
const settingByKey = new Map(settings.map((setting) => [setting.key, setting]));
export const settingOf = (place) => settingByKey.get(keyOf(place.machine, place.parameters));

const kernelsOfRun = new Map();
for (const kernel of data.kernels) {
  if (!kernelsOfRun.has(kernel.run)) kernelsOfRun.set(kernel.run, []);
  kernelsOfRun.get(kernel.run).push(kernel);
}

const subjects = new Map();

// A subject: what is measured at every setting, a kernel of a program or (kernel: null) a program.
function subjectOf(program, kernel, application) {
  const key = JSON.stringify([program, kernel]);
  if (!subjects.has(key)) {
    const label = kernel && kernel !== program ? `${program} · ${kernel}` : program;
    subjects.set(key, { index: subjects.size, program, kernel, application, label });
  }
  return subjects.get(key);
}

// A result: a kernel of a run that is done, at its place in the experiment.
export const results = data.runs.flatMap((run) => {
  const seen = new Map();
  return (kernelsOfRun.get(run.run) ?? []).map((kernel) => {
    const times = (seen.get(kernel.label) ?? 0) + 1;
    seen.set(kernel.label, times);
    const label = times === 1 ? kernel.label : `${kernel.label} #${times}`;
    return { run, kernel, subject: subjectOf(run.program, label, run.application), setting: settingOf(run) };
  });
});
export const kernelSubjects = [...subjects.values()];
const resultBy = new Map(results.map((result) => [`${result.subject.index} ${result.setting.index}`, result]));
export const resultAt = (subject, setting) => resultBy.get(`${subject.index} ${setting.index}`);

const metricIndex = new Map(data.metrics.map((name, index) => [name, index]));
export const hasMetric = (name) => metricIndex.has(name);
export const metricOf = (result, name) => result.kernel.values[metricIndex.get(name)] ?? null;
// A counter that a view knows by name: 0 where it is zero everywhere; null where the result has no such counter, which is shown as missing.
const zeroEverywhere = new Set(data.zero_metrics);
export const counterOf = (result, name) => (zeroEverywhere.has(name) ? 0 : metricOf(result, name));

const columnPrefix = "column:";

// Quantities that charts can show: the experiment's columns, then metrics, as [value, text, group].
export const quantities = [
  ...data.experiment.columns.map((column) => [columnPrefix + column.name, column.name, "Columns of the experiment"]),
  ...data.metrics.map((name) => [name, name, "Metrics"]),
];
const columnUnit = ({ value }) => (hasMetric(value) ? unitOf(value) : value);
// Of a column that is computed, the formula: it says what the numbers are.
export const quantityUnit = (quantity) =>
  (quantity.startsWith(columnPrefix) ? columnUnit(data.experiment.columns.find(({ name }) => name === quantityName(quantity))) : unitOf(quantity));
export const columnWithUnit = (column) => ({ name: column.name, unit: columnUnit(column) });
export const whose = [{ name: "program or kernel" }, { name: "setting" }];  // columns of whatever is plotted of every subject at every setting
export const quantityName = (quantity) => quantity.replace(columnPrefix, "");

// The values of a quantity: { subject, setting, value, weight }, where there are any.
export function pointsOf(quantity) {
  const points = quantity.startsWith(columnPrefix) ? columnPoints(quantityName(quantity)) : metricPoints(quantity);
  return points.filter((point) => point.value !== null);
}

function columnPoints(name) {
  const column = data.experiment.columns.findIndex((each) => each.name === name);
  return data.rows.filter((row) => row.state === "done").map((row) => ({
    subject: subjectOf(row.program, row.kernel || null, row.application),
    setting: settingOf(row),
    value: row.values[column],
  }));
}

const metricPoints = (name) => results.map((result) => ({ ...result, value: metricOf(result, name) }));

// Baselines that one may compare with: what the experiment says, then each setting.
export const ownBaseline = "own";
const ownText = (baseline) => `the experiment's (${textOf(baseline)})`;
export const baselines = [
  ...(Object.keys(data.experiment.baseline).length ? [[ownBaseline, ownText(shortParameters(data.experiment.baseline)), "", ownText(data.experiment.baseline)]] : []),
  ...settings.map((setting) => [String(setting.index), setting.label, "", setting.fullLabel]),
];

export function baselineOf(setting, baseline) {
  if (baseline !== ownBaseline) return settings[Number(baseline)];
  const place = { machine: setting.machine, parameters: { ...setting.parameters } };
  for (const [name, value] of Object.entries(data.experiment.baseline)) {
    if (name === "machine") place.machine = value;
    else place.parameters[name] = value;
  }
  return settingOf(place);
}

// Points divided by the same subject's at the baseline; those without one, or with a zero there, are left out.
export function normalised(points, baseline) {
  const at = new Map(points.map((point) => [`${point.subject.index} ${point.setting.index}`, point.value]));
  return points.flatMap((point) => {
    const base = at.get(`${point.subject.index} ${baselineOf(point.setting, baseline)?.index}`);
    return base ? [{ ...point, absolute: point.value, value: point.value / base }] : [];
  });
}

// Geometric means over subjects, weighted as the experiment says; a setting with a value that is not positive has none.
export function geometricMeans(points) {
  return settings.flatMap((setting) => {
    const own = points.filter((point) => point.setting === setting);
    if (own.length === 0 || own.some((point) => !(point.value > 0))) return [];
    const ofApplication = new Map();
    for (const { subject } of own) ofApplication.set(subject.application, (ofApplication.get(subject.application) ?? 0) + 1);
    const weightOf = ({ subject }) => (data.experiment.weights === "application" ? 1 / ofApplication.get(subject.application) : 1);
    const weights = own.reduce((sum, point) => sum + weightOf(point), 0);
    const logarithms = own.reduce((sum, point) => sum + weightOf(point) * Math.log(point.value), 0);
    return [{ setting, value: Math.exp(logarithms / weights), count: own.length }];
  });
}
