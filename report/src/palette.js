// Colours and shapes of settings; style.css has the colours, for light and dark. They repeat after eight, with another shape or dash.
import { settings } from "./data.js";

const kColours = 8;
const dashes = ["", "6 3", "2 3", "8 3 2 3"];
const symbols = ["circle", "square", "triangle", "diamond", "star", "wye", "cross"];

export const colourOf = (setting) => `var(--series-${setting.index % kColours})`;
export const symbolOf = (setting) => symbols[setting.index % symbols.length];
export const dashOf = (setting) => dashes[setting.index % dashes.length];
// Of values from low to high.
const kHeats = 5;  // style.css has a colour for each
export const heatColours = Array.from({ length: kHeats }, (_, step) => `var(--heat-${step})`);
export const settingColours = { domain: settings.map((setting) => setting.label), range: settings.map(colourOf) };
