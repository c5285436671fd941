// Numbers for people. Tables keep the exact value beside the text, in `data-value`.
import { h } from "./dom.js";

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 4 });
// Prefixes as the SI has them: what a language calls a million differs.
const prefixes = ["", "k", "M", "G", "T", "P"];
const threeDigits = (value) => Number(value.toPrecision(3));

function compact(value) {
  const rounded = threeDigits(value);
  const power = Math.abs(rounded) < 1000 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(Math.abs(rounded)) / 3));
  return `${threeDigits(rounded / 1000 ** power)}${prefixes[power]}`;
}

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

// Counts in full, ratios with four digits.
export function numberText(value) {
  if (!isNumber(value)) return "–";
  return Number.isInteger(value) ? whole.format(value) : precise.format(value);
}

// Of axes: thousands and more in short.
export const tickText = (value) => (Math.abs(value) < 1e4 ? numberText(value) : compact(value));
export const shortText = (value) => (isNumber(value) ? compact(value) : "–");
export const percentText = (value) => (isNumber(value) ? `${(100 * value).toFixed(1)} %` : "");
export const ratioText = (value) => (isNumber(value) ? value.toFixed(2) : "–");

export function bytesText(value) {
  if (!isNumber(value)) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = value > 0 ? Math.min(units.length - 1, Math.floor(Math.log2(value) / 10)) : 0;
  return `${(value / 1024 ** power).toFixed(power ? 1 : 0)} ${units[power]}`;
}

export function secondsText(value) {
  if (!isNumber(value)) return "–";
  if (value < 60) return `${value.toFixed(1)} s`;
  const minutes = Math.round(value / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Of a counter that a run may lack.
export const counterText = (value) => (isNumber(value) ? numberText(value) : "missing");

export function numberCell(value, text = numberText) {
  return h("td", { class: "number", "data-value": isNumber(value) ? value : null }, text(value));
}
