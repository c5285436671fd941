// What of a page is not there for readers who do not see it, or have no mouse: charts without words, tables without headers, controls without names.
const accessFaultsIn = (() => {
  const all = (selector, root) => [...root.querySelectorAll(selector)];
  const isShown = (element) => element.getClientRects().length > 0;
  const labelOf = (element) => (element.matches("select, input") ? element.labels[0] : element);
  const nameOf = (element) => (element.getAttribute("aria-label") ?? labelOf(element)?.textContent ?? "").trim();
  const titleOf = (element) => element.closest("figure")?.querySelector("h3").textContent ?? "";

  function chartFaults(svg) {
    const label = svg.getAttribute("aria-label") ?? "";
    if (svg.getAttribute("role") !== "img" || label === "") return ["is no image with a label"];
    if (!svg.closest(".drawing")) return [];
    const says = { "its title": label.startsWith(titleOf(svg)), "its axes": / by | over /.test(label), "its points": /\. \d+ points?, /.test(label), "its extremes": / from .+ to |without values/.test(label) };
    return Object.keys(says).filter((each) => !says[each]).map((each) => `does not say ${each}: ${label}`);
  }

  function tableFaults(table) {
    const headers = all("th", table);
    return [
      ...(table.caption?.textContent.trim() ? [] : ["has no caption"]),
      ...(headers.some((header) => header.scope === "") ? ["has a header without a scope"] : []),
      ...(headers.some((header) => header.textContent.trim() === "") ? ["has an empty header"] : []),
    ];
  }

  function controlFaults(control, names) {
    const name = nameOf(control), isKnown = control.tagName === "BUTTON" && names.has(name);
    names.add(name);
    control.focus();
    return [
      ...(name === "" ? ["has no name"] : []),
      ...(isKnown ? ["has the name of another"] : []),
      ...(control.tabIndex !== 0 || document.activeElement !== control ? ["cannot be reached by keyboard"] : []),
    ];
  }

  return (root) => {
    const names = new Set(), focused = document.activeElement;
    const faults = [
      ...all("svg", root).filter((svg) => !svg.closest('[aria-hidden="true"]') && !svg.parentElement.closest("svg")).flatMap((svg) => chartFaults(svg).map((fault) => `chart '${titleOf(svg)}' ${fault}`)),
      ...all("table", root).flatMap((table) => tableFaults(table).map((fault) => `table '${table.caption?.textContent ?? table.textContent.slice(0, 40)}' ${fault}`)),
      ...all("button, select, input, summary, a[href], .scroll", root).filter(isShown).flatMap((control) => controlFaults(control, names).map((fault) => `${control.tagName} '${nameOf(control)}' ${fault}`)),
    ];
    focused?.focus();
    return faults;
  };
})();
