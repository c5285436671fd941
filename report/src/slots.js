// What becomes of issue slots: names for people, in the order in which charts stack them. Colours stand in style.css as --slot-NAME; kinds
// of one family (memory, arithmetic, synchronisation) have one hue. docs/timing.md defines them.
import { counterOf, data } from "./data.js";

const texts = {
  issued: "issued",
  sub_warps: "further sub-warps",
  assist: "issued for helpers",
  memory_dependence: "waits for memory",
  memory_structural: "memory unit full",
  bank_conflict: "bank conflict",
  held_back: "held back from memory",
  compute_dependence: "waits for a result",
  compute_structural: "arithmetic unit full",
  write_back_conflict: "write-back conflict",
  barrier: "barrier",
  fence: "fence",
  fetch: "instruction fetch",
  no_warp: "no warp",
};

const known = Object.keys(texts);
const ordered = [...known.filter((name) => data.slots.includes(name)), ...data.slots.filter((name) => !known.includes(name))];
export const slotText = (name) => texts[name] ?? name;
export const slotColour = (name) => (name in texts ? `var(--slot-${name})` : "var(--slot-no_warp)");
export const slotMetric = (name) => `timing.counters.gpu.sm.slots.${name}`;

// A count is null where the result has none: no run that is not timed has any.
export const slotsOf = (result) => ordered.map((name) => ({ name, count: counterOf(result, slotMetric(name)) }));
// Those that occur at all.
export const usedSlots = (parts) => ordered.filter((name) => parts.some((part) => part.name === name && part.count > 0));
// Of a line: lost slots stand in the order of data.slots.
export const lostSlots = (lost) => (lost ? ordered.map((name) => ({ name, count: lost[data.slots.indexOf(name)] })).filter((part) => part.count > 0) : []);
export const sum = (parts) => parts.reduce((total, part) => total + part.count, 0);
