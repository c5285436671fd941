// The report: one page with a section each, and a page for each kernel behind `#kernel-N`; or a paper's evaluation, with a section for each figure and table; or a GPU beside the simulator.
import { data, isOneRun } from "./data.js";
import { drawNow } from "./charts/chart.js";
import { h } from "./dom.js";
import "./print.js";
import { mechanismSections } from "./mechanisms/catalogue.js";
import { kernelPage, kernelsView } from "./views/kernels.js";
import { section as map } from "./views/map.js";
import { hardwareHeading, hardwareSections } from "./views/hardware.js";
import { overview } from "./views/overview.js";
import { paperHeading, paperSections } from "./views/published.js";
import { section as energy } from "./views/energy.js";
import { section as pcHistogram } from "./views/pc-histogram.js";
import { resultsView } from "./views/results.js";
import { runsView } from "./views/runs.js";
import { scatterView } from "./views/scatter.js";
import { seriesView } from "./views/series.js";
import { section as spe } from "./views/spe.js";
import { hasSlots, stallsView } from "./views/stalls.js";

// [id, name among the page's links, view, and a title where that is another]
function experimentSections() {
  // Of one run, kernels by their time are what one looks for first.
  const kernels = ["kernels", "Kernels", kernelsView];
  return [
    ["overview", "Overview", overview],
    ...(isOneRun ? [kernels] : []),
    ["results", "Results", resultsView],
    ...(spe.isThere() && !hasSlots() ? [] : [["stalls", "Stalls", () => (hasSlots() ? stallsView() : h("p", { class: "empty" }, "No run was timed: functional runs have no issue slots."))]]),
    ["scatter", "Scatter", scatterView],
    ["series", "Over time", seriesView],
    ...[spe, map, energy, pcHistogram].filter(({ isThere }) => isThere()).map(({ id, title, view }) => [id, title, view]),
    ...mechanismSections.map(({ id, title, view }) => [id, title, view]),
    ...(isOneRun ? [] : [kernels]),
    ["runs", "Runs", runsView],
  ];
}
const experimentHeading = ({ experiment }) => ({ name: experiment.name, note: `Experiment ${experiment.name}@${experiment.id}, planned ${experiment.created}` });

const contents = () => {
  if (data.paper) return [paperSections(), paperHeading()];
  if (data.hardware) return [hardwareSections(), hardwareHeading()];
  return [experimentSections(), experimentHeading(data)];
};
const [sections, heading] = contents();

function header() {
  return h("header", {},
    h("div", {}, h("h1", {}, heading.name), h("p", { class: "note" }, heading.note),
      h("button", { type: "button", onclick: () => print() }, "Print / save as PDF")),
    h("nav", { "aria-label": "Sections" }, sections.map(([id, text]) => h("a", { href: `#${id}` }, text))));
}

const everything = () =>
  sections.map(([id, text, make, title = text]) => h("section", { id, tabindex: "-1" }, h("h2", {}, title), ...[make()].flat().filter(Boolean)));

const main = h("main", { tabindex: "-1" });
let whole = null;  // the sections, made once, so that choices last

function show() {
  const place = location.hash.slice(1);
  const kernel = /^kernel-(\d+)$/.exec(place);
  const page = kernel && kernelPage(Number(kernel[1]));
  main.classList.toggle("kernel", Boolean(page));
  if (page) {
    main.replaceChildren(page);
    drawNow();
    scrollTo(0, 0);
    page.querySelector("h2").focus();
    return;
  }
  whole ??= everything();
  if (main.firstChild !== whole[0]) main.replaceChildren(...whole);
  drawNow();
  const target = place ? document.getElementById(place) : null;
  if (target?.tagName === "DETAILS") target.open = true;
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}

// A link would change what the page shows: its address says that.
const skip = () => h("button", { type: "button", class: "skip", onclick: () => main.focus() }, "Skip to the content");

document.body.append(skip(), header(), main, h("footer", {}, "Written by ", h("code", {}, data.writer), ". Everything is in this file; nothing is loaded from elsewhere."));
addEventListener("hashchange", show);
show();
