// A chart with its title and legend as one SVG file that needs no style sheet: what the page's gives its elements becomes their attributes.

const kPadding = 8;
const svgNames = "http://www.w3.org/2000/svg";
const inherited = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
  "font-family", "font-size", "font-weight", "font-variant", "text-anchor", "paint-order"];

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(svgNames, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// `around`: the style of the element's parent in the file, of which it inherits.
function setStyle(copy, style, around) {
  for (const name of ["style", "class", ...inherited]) copy.removeAttribute(name);
  for (const name of inherited) if (style[name] !== around?.[name]) copy.setAttribute(name, style[name]);
  if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
}

const isLeftOut = (element) => element.nodeName === "style" || element.getAttribute("aria-label") === "tip";

function withStyles(element, around = null) {
  const copy = element.cloneNode(false), style = getComputedStyle(element);
  setStyle(copy, style, around);
  for (const child of element.childNodes) {
    if (!(child instanceof Element)) copy.append(child.cloneNode());
    else if (!isLeftOut(child)) copy.append(withStyles(child, style));
  }
  return copy;
}

// A drawing, or the symbol of a legend, where it stands in the figure.
function drawingAt(element, origin) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const copy = withStyles(element);
  for (const [name, value] of Object.entries({ x: left - origin.left, y: top - origin.top, width, height, overflow: "visible" })) copy.setAttribute(name, value);
  return copy;
}

function textAt(element, origin) {
  const range = document.createRange(), style = getComputedStyle(element);
  range.selectNodeContents(element.querySelector("span:not(.swatch)") ?? element.lastChild);
  const { left, top, height } = range.getBoundingClientRect();
  return svg("text", {
    x: left - origin.left, y: top - origin.top + height / 2, "dominant-baseline": "central", fill: style.color,
    "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight,
  }, range.toString());
}

function swatchAt(element, origin) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return svg("rect", { x: left - origin.left, y: top - origin.top, width, height, fill: getComputedStyle(element).backgroundColor });
}

export function svgFileOf(figure, title) {
  const drawings = [...figure.querySelectorAll(".drawing > svg")], frame = figure.getBoundingClientRect();
  const origin = { left: frame.left - kPadding, top: frame.top - kPadding };
  const width = frame.width + 2 * kPadding, height = drawings.at(-1).getBoundingClientRect().bottom - frame.top + 2 * kPadding;
  const all = (selector, make) => [...figure.querySelectorAll(selector)].map((element) => make(element, origin));
  const file = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" },
    svg("title", {}, title),
    svg("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor }),
    ...all("h3", textAt), ...all(".legend .swatch", swatchAt), ...all(".legend svg, .drawing > svg", drawingAt), ...all(".legend li", textAt));
  return new XMLSerializer().serializeToString(file);
}
