// Where launches begin in a chart over time: a line each, with the kernel's name where that ends before the next line, and else to look at.
import * as Plot from "@observablehq/plot";
import { numberText } from "../format.js";
import { textWidth } from "./text.js";

const kGap = 6, kAboveFrame = -3;
const font = { fontSize: 10 };

// Of the launches of one frame, those whose names fit. `scale`: pixels a cycle; `until`: the last cycle.
function withRoom(launches, { scale, until }) {
  const ordered = [...launches].sort((one, other) => one.begin - other.begin);
  return ordered.filter(({ name, begin }, index) => ((ordered[index + 1]?.begin ?? until) - begin) * scale >= textWidth(name, font) + kGap);
}

const textOf = ({ series, name, begin, end }) => `${name}\n${series}\ncycles ${numberText(begin)} to ${numberText(end)}`;

// Launches: { series, name, begin, end }. `frames`: those of each frame of the drawing; `options` are of its facets.
export function launchMarks(frames, extent, { stroke = "currentColor", ...options } = {}) {
  const named = frames.flatMap((launches) => withRoom(launches, extent));
  return [
    Plot.ruleX(frames.flat(), { ...options, x: "begin", stroke, strokeWidth: 1, strokeOpacity: 0.4, title: textOf, ariaLabel: "name" }),
    Plot.text(named, { ...options, x: "begin", text: "name", frameAnchor: "top", lineAnchor: "bottom", dy: kAboveFrame, textAnchor: "start", title: textOf, ...font }),
  ];
}
