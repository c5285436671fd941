// What of a page lies over something else: texts of a chart over one another or over its bars, or beyond its edges; items of its legend likewise.
const collisionsIn = (() => {
  // A box of text is as high as its font: above capitals a part of it is empty, and a little below descenders.
  const kAbove = 0.15, kBelow = 0.05, kTouching = 0.5, kEdge = 1;
  const inkOf = (element) => {
    const { left, right, top, bottom, height } = element.getBoundingClientRect();
    return { left: left + kTouching, right: right - kTouching, top: top + kAbove * height, bottom: bottom - kBelow * height };
  };
  const boxOf = (element) => element.getBoundingClientRect();
  const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const nameOf = (element) => `'${[...element.childNodes].filter((child) => child.nodeName !== "title").map((child) => child.textContent).join("")}'`;
  const isShown = (element) => element.textContent.trim() !== "" && element.getBoundingClientRect().width > 0 && !element.closest('[aria-label="tip"]');

  const textsOf = (figure) => [...figure.querySelectorAll(".drawing text, figcaption h3, figcaption p, .legend li")].filter(isShown)
    .map((element) => ({ name: nameOf(element), box: inkOf(element), svg: element.closest("svg") }));
  // A cell of a map has its number in it.
  const barsOf = (figure) => [...figure.querySelectorAll('.drawing g[aria-label="bar"] rect')].map((element) => ({ name: "a bar", box: boxOf(element) }));

  function collisionsOf(figure) {
    const texts = textsOf(figure), bars = barsOf(figure), edge = boxOf(figure);
    const pairs = texts.flatMap((text, index) => [...texts.slice(index + 1), ...bars].filter((other) => overlap(text.box, other.box)).map((other) => `${text.name} lies over ${other.name}`));
    const beyond = texts.filter(({ box }) => box.left < edge.left - kEdge || box.right > edge.right + kEdge).map(({ name }) => `${name} reaches beyond the chart`);
    const outside = texts.filter(({ svg, box }) => svg && (box.top < boxOf(svg).top - kEdge || box.bottom > boxOf(svg).bottom + kEdge)).map(({ name }) => `${name} reaches beyond the drawing`);
    return [...pairs, ...beyond, ...outside].map((text) => `${figure.querySelector("h3").textContent}: ${text}`);
  }
  return (root) => [...root.querySelectorAll("figure.chart")].flatMap(collisionsOf);
})();
