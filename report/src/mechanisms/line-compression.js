// Lines that travel compressed: pieces of 32 bytes that DRAM moved of those that it would have moved without (docs/line-compression.md).
import { counterOf, results, settings, whose } from "../data.js";
import { h } from "../dom.js";
import { numberCell, percentText } from "../format.js";
import { settingName } from "../names.js";
import { chart, legendOf } from "../charts/chart.js";
import { stacks } from "../charts/stacks.js";

const prefix = "timing.counters.gpu.mechanisms.line_compression.";
const counted = (result, name) => counterOf(result, prefix + name);
const measured = results.filter((result) => counted(result, "uncompressed_pieces") > 0);

const kinds = [
  { name: "moved", colour: "var(--series-0)", of: (result) => counted(result, "pieces") },
  { name: "saved by compression", colour: "var(--series-2)", of: (result) => Math.max(0, counted(result, "uncompressed_pieces") - counted(result, "pieces")) },
];
const colour = (name) => kinds.find((kind) => kind.name === name).colour;

const parts = () => measured.flatMap((result) => {
  const all = Math.max(counted(result, "uncompressed_pieces"), counted(result, "pieces"));
  return kinds.map((kind) => ({ group: result.subject.label, series: result.setting.label, name: kind.name, value: kind.of(result) / all, share: kind.of(result) / all }))
    .filter(({ value }) => value > 0);
});

const columns = [["figures.ratio", "pieces without for each with"], ["figures.metadata_hit_rate", "metadata hit rate"], ["compressed_reads", "compressed reads"],
  ["compressed_writes", "compressed writes"], ["merged_writes", "writes that read the line first"], ["compressed_arrivals", "lines to SMs compressed"],
  ["compressed_stores", "stores compressed in SMs"], ["overflows", "stores without room"], ["compared_lines", "lines of routines compared"], ["wrong_lines", "wrong lines"]];

const numbers = {
  header: ["program or kernel", "setting", ...columns.map(([, text]) => ({ text, number: true }))],
  rows: () => measured.map((result) => h("tr", {}, h("th", { scope: "row" }, result.subject.label), h("td", {}, settingName(result.setting)), columns.map(([name]) => numberCell(counted(result, name))))),
};

const view = () => chart({
  title: "Pieces of 32 bytes in DRAM, % of those without compression",
  note: "Reads and writes of lines by the memory partitions; fetches of metadata come on top, and are in the traffic of DRAM.",
  legend: legendOf(kinds.map(({ name, colour: text }) => ({ text: name, colour: text }))),
  draw: (width, most) => {
    const bars = parts();
    const series = settings.map(({ label }) => label).filter((label) => bars.some((bar) => bar.series === label));
    return stacks(bars, { width, most, groups: [...new Set(bars.map(({ group }) => group))], series, names: kinds.map(({ name }) => name), percent: true, colour, text: ({ name, share }) => `${name}: ${percentText(share)}` });
  },
  plotted: {
    kind: "Stacked bars", columns: [...whose, { name: "kind of piece" }, { name: "pieces", unit: "%" }],
    rows: () => parts().map(({ group, series, name, share }) => [group, series, name, 100 * share]),
  },
  numbers,
});

export const section = { id: "compression", title: "Compression", isThere: () => measured.length > 0, view };
