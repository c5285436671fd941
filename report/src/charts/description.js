// What a chart shows, in words for those who do not see it: title, axes, number of points, extremes.
import { columnText } from "../csv.js";
import { isNumber, numberText } from "../format.js";

const list = new Intl.ListFormat("en-GB");
const listed = (columns) => list.format(columns.map(columnText));

const placeOf = (row) => row.slice(0, -1).map((value) => (isNumber(value) ? numberText(value) : value)).filter(Boolean).join(", ");
const extremeText = (row) => `${numberText(row.at(-1))} (${placeOf(row)})`;

function extremesText(rows) {
  const measured = rows.filter((row) => isNumber(row.at(-1)));
  if (measured.length === 0) return "without values";
  const extreme = (isBeyond) => measured.reduce((best, row) => (isBeyond(row.at(-1), best.at(-1)) ? row : best));
  return `from ${extremeText(extreme((value, best) => value < best))} to ${extremeText(extreme((value, best) => value > best))}`;
}

// `plotted`: { kind, columns, rows }; the last column is what is measured, the others with a unit are axes, those without say whose it is.
export function described(title, { kind, columns, rows }) {
  const others = columns.slice(0, -1);
  const axes = others.filter(({ unit }) => unit), whose = others.filter(({ unit }) => !unit);
  const shown = [`${kind} of ${columnText(columns.at(-1))}`, axes.length ? `over ${listed(axes)}` : "", whose.length ? `by ${listed(whose)}` : ""].filter(Boolean).join(" ");
  return `${title}. ${shown}. ${rows.length} ${rows.length === 1 ? "point" : "points"}, ${extremesText(rows)}.`;
}
