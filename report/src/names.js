// Names of settings in short: dotted keys by as many of their last parts as tell them apart.
import { h } from "./dom.js";

const dottedKey = /[a-z_][\w-]*(?:\.[\w-]+)+(?==)/gi;

// The keys of texts such as "gtx480 sm.memory.ports=2".
export const keysIn = (text) => text.match(dottedKey) ?? [];

const endOf = (name, parts) => name.split(".").slice(-parts).join(".");

function shortest(name, others) {
  const parts = name.split(".").length;
  let count = 1;
  while (count < parts && others.some((other) => endOf(other, count) === endOf(name, count))) ++count;
  return endOf(name, count);
}

// A function that shortens each of the names, and those that stand in a text before "=".
export function shortener(names) {
  const all = [...new Set(names)];
  const short = new Map(all.map((name) => [name, shortest(name, all.filter((other) => other !== name))]));
  const shortName = (name) => short.get(name) ?? name;
  return { shortName, shortText: (text) => text.replace(dottedKey, shortName) };
}

// A text that may be short, with the full one to look at.
export const named = (text, full) => (text === full ? text : h("span", { title: full }, text));
export const settingName = ({ label, fullLabel }) => named(label, fullLabel);
