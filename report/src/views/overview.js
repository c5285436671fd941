// What the experiment is, how it went, its means, what failed.
import { columnWithUnit, data, kernelSubjects, settingOf, settings } from "../data.js";
import { h, details, table } from "../dom.js";
import { numberCell, numberText, secondsText } from "../format.js";
import { settingName } from "../names.js";
import { settingColours } from "../palette.js";
import { bars } from "../charts/bars.js";
import { chart } from "../charts/chart.js";

const { experiment, runs } = data;
const countOf = (state) => runs.filter((run) => run.state === state).length;
const unique = (values) => [...new Set(values)];

function card(value, text) {
  return h("li", {}, h("b", {}, value), h("span", {}, text));
}

const plural = (count, word) => `${word}${count === 1 ? "" : "s"}`;

function cards() {
  const done = countOf("done");
  const programs = unique(runs.map((run) => run.program)).length;
  const timed = runs.filter((run) => run.seconds !== null);
  const seconds = timed.reduce((sum, run) => sum + run.seconds, 0);
  return h("ul", { class: "cards" },
    card(done === runs.length ? String(done) : `${done} of ${runs.length}`, `${plural(runs.length, "run")} done`),
    card(programs, plural(programs, "program")),
    card(kernelSubjects.length, plural(kernelSubjects.length, "kernel")),
    card(settings.length, plural(settings.length, "setting")),
    timed.length ? card(secondsText(seconds), "of simulation on the host") : null);
}

// Each mean that the experiment asks for, with a bar a setting.
function means() {
  return experiment.columns.flatMap((column, index) =>
    column.means.map((mean) => {
      const rows = data.means.filter((row) => row.mean === mean && row.values[index] !== null);
      if (rows.length === 0) return null;
      const points = rows.map((row) => {
        const setting = settingOf(row);
        return { group: "", series: setting.label, value: row.values[index], text: `${setting.label}: ${numberText(row.values[index])}` };
      });
      return chart({
        title: `${column.name}: ${mean} mean`,
        plotted: { kind: "Bars", columns: [{ name: "setting" }, columnWithUnit(column)], rows: () => points.map(({ series, value }) => [series, value]) },
        draw: (width, most) => bars(points, { width, most, label: null }),
      });
    })).filter(Boolean);
}

function meansTable() {
  const shown = experiment.columns.flatMap((column, index) => column.means.map((mean) => ({ column, index, mean })));
  if (shown.length === 0) return null;
  const valueOf = (setting, { index, mean }) => data.means.find((row) => row.mean === mean && settingOf(row) === setting)?.values[index] ?? null;
  const header = ["setting", ...shown.map(({ column, mean }) => ({ text: `${column.name}, ${mean} mean`, number: true }))];
  const rows = settings.map((setting) =>
    h("tr", {}, h("th", { scope: "row" }, h("span", { class: "swatch", style: `background: ${settingColours.range[setting.index]}` }), settingName(setting)),
      shown.map((each) => numberCell(valueOf(setting, each)))));
  const weights = experiment.weights === "application" ? "applications" : experiment.rows === "kernel" ? "kernels" : "programs";
  return [h("h3", {}, "Means"), table(header, rows, { caption: `Over all programs; ${weights} count alike` })];
}

function failures() {
  const failed = runs.filter((run) => run.state === "failed" || run.state === "timed out");
  if (failed.length === 0) return null;
  return h("section", { class: "warning" },
    h("h3", {}, `${failed.length} ${plural(failed.length, "run")} did not finish`),
    h("ul", {}, failed.map((run) => h("li", {}, `${run.program} on `, settingName(settingOf(run)), ` (${run.state})`, h("pre", {}, run.message)))));
}

export function overview() {
  return [
    experiment.description ? h("p", { class: "lead" }, experiment.description) : null,
    cards(),
    failures(),
    meansTable(),
    settings.length > 1 ? h("div", { class: "pair" }, means()) : null,
    details("The experiment file", () => h("pre", { class: "code" }, experiment.text)),
  ];
}
