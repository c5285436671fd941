// Elements without markup in strings: texts from the store can never become elements.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A labelled choice. `options`: [value, text] pairs; with a third member, the group's name, and a fourth, the text in full.
export function choice(label, options, chosen, onchange) {
  const groups = new Map();
  for (const [value, text, group = "", title = null] of options) {
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(h("option", { value, selected: value === chosen, title: title === text ? null : title }, text));
  }
  const children = [...groups].flatMap(([name, items]) => (name ? [h("optgroup", { label: name }, items)] : items));
  return h("label", {}, h("span", {}, label), h("select", { onchange: (event) => onchange(event.target.value) }, children));
}

export function checkbox(label, checked, onchange) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", checked, onchange: (event) => onchange(event.target.checked) }), label);
}

// A table that scrolls sideways in a narrow window. Cells: texts, elements, or { value } for a number.
export function table(header, rows, { caption, className = "" } = {}) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption ?? "Table" },
    h("table", { class: className },
      caption ? h("caption", {}, caption) : null,
      h("thead", {}, h("tr", {}, header.map((cell) => h("th", { scope: "col", class: cell.number ? "number" : null, title: cell.title }, cell.text ?? cell)))),
      h("tbody", {}, rows)));
}

const fillers = new WeakMap();  // by element, what fills it

// What is made when it is first opened, as it is long or seldom wanted.
export function details(summary, make) {
  const element = h("details", {}, h("summary", {}, summary));
  fillers.set(element, () => element.children.length === 1 && element.append(make()));
  element.addEventListener("toggle", () => element.open && fillers.get(element)());
  return element;
}

// Opens what is folded, at once, and says what that was.
export function openDetails(root) {
  const folded = [...root.querySelectorAll("details:not([open])")];
  for (const element of folded) {
    fillers.get(element)();
    element.open = true;
  }
  return folded;
}
