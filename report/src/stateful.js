import { drawNow } from "./charts/chart.js";
import { h } from "./dom.js";

// A view whose controls change what is below them: `draw(state)` gives the elements, `change(part)` draws anew.
export function stateful(state, draw) {
  const host = h("div");
  const change = (part) => {
    Object.assign(state, part);
    const focused = [...host.querySelectorAll("select, input")].indexOf(document.activeElement);
    host.replaceChildren(...[draw(state, change)].flat().filter(Boolean));
    if (host.isConnected) drawNow();
    if (focused >= 0) host.querySelectorAll("select, input")[focused]?.focus();
  };
  change({});
  return host;
}
