// Whether bars of groups find room upright, side by side with the names of the groups below them, and how wide a drawing they make.

export const kMarginLeft = 56, kMarginRight = 20, kPadding = 0.12;
const kNarrowest = 13, kWidest = 72;  // of a bar
const kBetween = 8;                   // names

// Groups lie on a band scale, with a part of a band between them and at both ends.
const stepOf = (width, groups) => (width - kMarginLeft - kMarginRight) / (groups + kPadding);

// Of a chart with so many groups of so many bars, whose widest name has this width: nothing where they do not fit.
export function uprightRoom({ width, groups, series, widest }) {
  const narrowest = Math.max(series * kNarrowest + 12, widest + kBetween), most = Math.max(series * kWidest, widest + kBetween);
  if (stepOf(width, groups) < narrowest) return null;
  const step = Math.min(stepOf(width, groups), most);
  return { width: Math.ceil(kMarginLeft + kMarginRight + step * (groups + kPadding)), step };
}
