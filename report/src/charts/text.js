// How wide texts of charts are, and texts cut to the width that there is.

export const kFontSize = 12;
const pen = document.createElement("canvas").getContext("2d");

export function textWidth(text, { fontSize = kFontSize, fontWeight = 400 } = {}) {
  pen.font = `${fontWeight} ${fontSize}px ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(pen.measureText(text).width);
}

export const widestOf = (texts, font) => Math.max(0, ...texts.map((text) => textWidth(text, font)));

// Of several ways to write what stands in a row, the first in which nothing is wider than its room; null where none is.
export const fittingText = (items, texts, room, font) => texts.find((text) => widestOf(items.map(text), font) <= room) ?? null;

// Names that begin alike differ at their ends: what is cut out is nearer to the beginning.
const cutTo = (text, length) => `${text.slice(0, Math.floor(length / 3))}…${text.slice(text.length - Math.ceil((2 * length) / 3))}`;

// The text, or as much of both its ends as the width takes.
export function fitted(text, width, font) {
  if (textWidth(text, font) <= width) return text;
  let length = text.length - 1;
  while (length > 1 && textWidth(cutTo(text, length), font) > width) --length;
  return cutTo(text, length);
}
