// Files that the page makes of its charts.
import { pageName } from "./data.js";
import { csvOf } from "./csv.js";
import { h } from "./dom.js";
import { svgFileOf } from "./svg-file.js";

const fileName = (title, ending) => `${`${pageName} ${title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")}.${ending}`;

function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address));  // when the browser has taken it
}

const button = (text, title, onclick) => h("button", { type: "button", "aria-label": `${text} of ${title}`, onclick }, text);

// Buttons below a figure. `plotted()`: the columns and rows of what it shows.
export function downloads(figure, title, plotted) {
  return h("div", { class: "downloads" },
    button("SVG", title, () => save(fileName(title, "svg"), "image/svg+xml", svgFileOf(figure, title))),
    button("CSV", title, () => save(fileName(title, "csv"), "text/csv", csvOf(plotted()))));
}
