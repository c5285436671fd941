// Every run with the command that repeats it, and the machines that they ran on.
import { data, machineText, settingOf } from "../data.js";
import { details, h, table } from "../dom.js";
import { bytesText, numberCell, secondsText } from "../format.js";
import { named, settingName } from "../names.js";

const unique = (values) => [...new Set(values)];

// `what`: the text in words, as pages have many such buttons.
function copyButton(text, what) {
  const button = h("button", { type: "button", class: "copy", onclick: () => navigator.clipboard.writeText(text).then(() => say("copied"), () => say("select it by hand")) });
  const say = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word}: ${what}`);
  };
  say("copy");
  return button;
}

// What a run took of the host, where that is known.
const knowsHost = data.runs.some((run) => run.seconds !== null || run.peak_bytes !== null);
const ofHost = (...cells) => (knowsHost ? cells : []);

function runRows(run) {
  return [
    h("tr", { class: "run" }, h("th", { scope: "row" }, run.program), h("td", {}, settingName(settingOf(run))), h("td", { class: `state ${run.state === "done" ? "done" : "not-done"}` }, run.state),
      ofHost(numberCell(run.seconds, secondsText), numberCell(run.peak_bytes, bytesText)), h("td", {}, run.started ?? "–"),
      h("td", {}, h("a", { href: `#machine-${run.configuration}` }, data.configurations[run.configuration].machine))),
    h("tr", { class: "command" }, h("td", { colspan: String(5 + 2 * knowsHost) }, h("div", {}, h("code", {}, run.command), copyButton(run.command, `command of run ${run.run}, ${run.program} at ${settingOf(run).label}`)), run.message ? h("pre", {}, run.message) : null)),
  ];
}

// Labels of the machines that use a configuration.
const labelsOf = (index) => unique(data.runs.filter((run) => run.configuration === index).map((run) => run.machine)).join(", ");

function differences() {
  const { configurations } = data;
  if (configurations.length < 2) return null;
  const keys = unique(configurations.flatMap((each) => Object.keys(each.keys))).filter((key) => unique(configurations.map((each) => each.keys[key])).length > 1);
  const make = () => table(["key", ...configurations.map((_, index) => ({ text: machineText(labelsOf(index)), title: labelsOf(index) }))],
    keys.map((key) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, key)), configurations.map((each) => h("td", {}, each.keys[key] ?? "–")))), { caption: "Where the machines differ" });
  return keys.length > 24 ? details(`The ${keys.length} keys in which the machines differ`, make) : make();
}

function simulators() {
  return unique(data.runs.map((run) => `${run.version}, revision ${run.revision.slice(0, 12)}`)).join("; ");
}

export function runsView() {
  return [
    h("p", {}, `Simulated by Warpwright ${simulators()}. Runs are deterministic: the same command gives the same statistics.`),
    table(["program", "setting", "state", ...ofHost({ text: "time", number: true }, { text: "memory", number: true }), "started (UTC)", "machine file"], data.runs.flatMap(runRows), { caption: "Runs, and the commands that repeat them", className: "runs" }),
    h("h3", {}, "Machines"),
    differences(),
    ...data.configurations.map((each, index) => {
      const element = details(named(`${machineText(labelsOf(index))}: every field`, `${labelsOf(index)}: every field`), () => h("pre", { class: "code" }, each.text));
      element.id = `machine-${index}`;
      return element;
    }),
  ];
}
