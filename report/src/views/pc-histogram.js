// Where the threads of an SM stand in a program over time: Figures 6.3 and 6.4 of Gou, "Customizable Memory Schemes for Data Parallel
// Accelerators". Of runs with the option pc_histogram.
import { results } from "../data.js";
import { choice, h } from "../dom.js";
import { numberCell, numberText, percentText } from "../format.js";
import { stateful } from "../stateful.js";
import { chart, legendOf } from "../charts/chart.js";
import { heatMap, heatSteps } from "../charts/heat-map.js";

const everyBlock = "all";
const kTexts = 3;  // of a row's instructions in a tip
const measured = results.filter(({ kernel }) => kernel.pc_histogram?.launches.length > 0);
const several = new Set(measured.map(({ setting }) => setting.index)).size > 1;
const nameOf = ({ subject, setting }) => [subject.label, ...(several ? [setting.label] : [])].join(" · ");

// What a row of the chart is: a name, and where an instruction has it.
const axes = {
  "PTX line": (instruction) => instruction.ptx_line,
  "source line": (instruction) => instruction.line,
  instruction: (instruction) => instruction.pc,
};
const axesOf = (instructions) => Object.keys(axes).filter((name) => instructions.some((each) => axes[name](each) !== null));

// The threads of the chosen blocks by interval and row: { from, until, row, value }, from early to late.
function cellsOf(launch, block, rowOf) {
  const cells = new Map();
  for (const [from, ofBlock, pc, threads] of launch.rows) {
    const row = rowOf.get(pc);
    if (row === null || (block !== everyBlock && ofBlock !== Number(block))) continue;
    const key = `${from} ${row}`;
    if (!cells.has(key)) cells.set(key, { from, until: from + launch.interval, row, value: 0 });
    cells.get(key).value += threads;
  }
  return [...cells.values()];
}

function sumsBy(cells, key) {
  const sums = new Map();
  for (const cell of cells) sums.set(cell[key], (sums.get(cell[key]) ?? 0) + cell.value);
  return sums;
}

// Each row's instructions.
function instructionsBy(instructions, rowOf) {
  const lists = new Map();
  for (const each of instructions) lists.set(rowOf.get(each.pc), [...(lists.get(rowOf.get(each.pc)) ?? []), each]);
  return lists;
}

const sumOf = (list, name) => list.reduce((sum, each) => sum + each[name], 0);

function numbersOf(cells, rows, instructionsOf, axis) {
  const ofRow = sumsBy(cells, "row"), samples = sumsBy(cells, "from").size, all = [...ofRow.values()].reduce((sum, value) => sum + value, 0);
  return {
    header: [axis, "instructions", ...["threads on average", "share", "another warp of the block is there"].map((text) => ({ text, number: true }))],
    rows: () => rows.map((row) => {
      const list = instructionsOf.get(row);
      return h("tr", {}, h("th", { scope: "row" }, String(row)), h("td", {}, h("code", {}, list.map(({ text }) => text).join("; "))),
        numberCell(ofRow.get(row) / samples), numberCell(ofRow.get(row) / all, percentText), numberCell(sumOf(list, "pairs_together") / sumOf(list, "pairs"), percentText));
    }),
  };
}

function noteOf({ sm, complete, figures }, launch) {
  const share = (name) => percentText(figures[name]) || "–";
  return `SM ${sm}, a sample every ${numberText(launch.interval)} core cycles${complete ? "" : "; cut, as no more is kept"}. A thread stands at the last instruction that it has issued. `
    + `Two warps of one block stand at the same instruction in ${share("together_in_block")} of all cases, two of different blocks in ${share("together_across_blocks")}; `
    + `where one is at a global load, another of its block is there in ${share("together_at_loads")}, and at the instruction behind it in ${share("together_behind_loads")}; at a barrier in ${share("together_at_barriers")}, behind it in ${share("together_behind_barriers")}; elsewhere in ${share("together_elsewhere")}.`;
}

// Of the chosen launch and blocks, by the chosen axis.
function heatOf(histogram, launch, block, axis) {
  const rowOf = new Map(histogram.instructions.map((each) => [each.pc, axes[axis](each)]));
  const instructionsOf = instructionsBy(histogram.instructions, rowOf);
  const cells = cellsOf(launch, block, rowOf);
  const rows = [...new Set(cells.map(({ row }) => row))].sort((one, other) => one - other);
  const most = [...sumsBy(cells, "from").values()].reduce((greatest, value) => Math.max(greatest, value), 0);
  const text = ({ from, until, row, value }) => [`cycles ${from} to ${until}`, `${axis} ${row}: ${instructionsOf.get(row).slice(0, kTexts).map((each) => each.text).join("; ")}`, `${numberText(value)} threads`].join("\n");
  return {
    legend: legendOf(heatSteps(most, "threads")),
    draw: (width) => heatMap(cells.map((cell) => ({ ...cell, text: text(cell) })), { width, rows, most, label: `↓ ${axis}` }),
    plotted: {
      kind: "Heat map", columns: [{ name: axis }, { name: "from", unit: "core cycles" }, { name: "until", unit: "core cycles" }, { name: "threads", unit: "count" }],
      rows: () => cells.map(({ row, from, until, value }) => [String(row), from, until, value]),
    },
    numbers: numbersOf(cells, rows, instructionsOf, axis),
  };
}

function drawing(state, change) {
  const result = measured[state.result], histogram = result.kernel.pc_histogram, launch = histogram.launches[state.launch];
  const named = axesOf(histogram.instructions), axis = named.includes(state.axis) ? state.axis : named[0];
  const blocks = [...new Set(launch.rows.map(([, block]) => block))].sort((one, other) => one - other);
  return [
    h("div", { class: "controls" },
      choice("Kernel", measured.map((each, index) => [String(index), nameOf(each)]), String(state.result), (index) => change({ result: Number(index), launch: 0, block: everyBlock })),
      histogram.launches.length > 1 ? choice("Launch", histogram.launches.map((each, index) => [String(index), numberText(each.launch)]), String(state.launch), (index) => change({ launch: Number(index), block: everyBlock })) : null,
      choice("Blocks", [[everyBlock, "all"], ...blocks.map((each) => [String(each), `block ${each}`])], state.block, (block) => change({ block })),
      choice("Lines", named.map((name) => [name, name]), axis, (name) => change({ axis: name }))),
    chart({
      title: `${nameOf(result)}: threads of ${state.block === everyBlock ? "all blocks" : `block ${state.block}`} by ${axis}`,
      note: noteOf(histogram, launch),
      ...heatOf(histogram, launch, state.block, axis),
    }),
  ];
}

const isThere = () => measured.length > 0;
const view = () => stateful({ result: 0, launch: 0, block: everyBlock, axis: Object.keys(axes)[0] }, drawing);

export const section = { id: "pc-histogram", title: "PC histogram", isThere, view };
