// What became of the issue slots, of all kernels or of one.
import { baselineOf, baselines, results, settings, whose } from "../data.js";
import { choice, h } from "../dom.js";
import { counterText, numberCell } from "../format.js";
import { slotColour, slotsOf, slotText, sum, usedSlots } from "../slots.js";
import { settingName } from "../names.js";
import { stateful } from "../stateful.js";
import { chart, legendOf } from "../charts/chart.js";
import { stacks } from "../charts/stacks.js";

const shares = "shares";

const timed = (list) => list.map((result) => ({ result, slots: slotsOf(result) })).filter(({ slots }) => sum(slots) > 0);

function scaleOf(list, baseline) {
  if (baseline === shares) return ({ slots }) => sum(slots);
  const total = new Map(list.map(({ result, slots }) => [`${result.subject.index} ${result.setting.index}`, sum(slots)]));
  return ({ result }) => total.get(`${result.subject.index} ${baselineOf(result.setting, baseline)?.index}`);
}

function partsOf(list, scale) {
  return list.flatMap((each) => {
    const whole = scale(each), all = sum(each.slots);
    if (!whole) return [];
    return each.slots.filter((slot) => slot.count > 0).map((slot) => ({
      group: each.result.subject.label, series: each.result.setting.label, name: slot.name, count: slot.count, value: slot.count / whole, share: slot.count / all,
    }));
  });
}

function numbersOf(list, names) {
  return {
    header: ["program or kernel", "setting", { text: "issue slots", number: true }, ...names.map((name) => ({ text: slotText(name), number: true }))],
    rows: () => list.map(({ result, slots }) =>
      h("tr", {}, h("th", { scope: "row" }, result.subject.label), h("td", {}, settingName(result.setting)), numberCell(sum(slots)),
        names.map((name) => numberCell(slots.find((slot) => slot.name === name).count, counterText)))),
  };
}

function drawing(list, state, change) {
  const parts = partsOf(list, scaleOf(list, state.baseline));
  const names = usedSlots(parts);
  const percent = state.baseline === shares;
  const groups = [...new Set(parts.map((part) => part.group))];
  const series = settings.map((setting) => setting.label).filter((label) => parts.some((part) => part.series === label));
  return [
    h("div", { class: "controls" },
      choice("Length of a bar", [[shares, "100 %: shares of its own slots"], ...baselines.map(([value, text]) => [value, `slots relative to ${text}`])],
        state.baseline, (baseline) => change({ baseline }))),
    chart({
      title: percent ? "What became of the issue slots, %" : "What became of the issue slots, relative to the baseline (1)",
      note: "Each scheduler has issue slots in every core cycle. A slot issues an instruction or is lost, for the reason named.",
      legend: legendOf(names.map((name) => ({ text: slotText(name), colour: slotColour(name) }))),
      draw: (width, most) => stacks(parts, { width, most, groups, series, names, percent }),
      plotted: {
        kind: "Stacked bars", columns: [...whose, { name: "kind of slot" }, { name: "issue slots", unit: percent ? "%" : "relative to the baseline" }],
        rows: () => parts.map(({ group, series, name, value }) => [group, series, slotText(name), percent ? 100 * value : value]),
      },
      numbers: numbersOf(list, names),
    }),
  ];
}

export const hasSlots = (list = results) => timed(list).length > 0;
export const stallsView = (list = results) => stateful({ baseline: shares }, (state, change) => drawing(timed(list), state, change));
