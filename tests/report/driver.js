// Runs in a copy of the page: looks at it as a reader would, tries every choice, and leaves what it saw as JSON in the element `seen`.
(async () => {
  const settle = () => new Promise((done) => setTimeout(done, 30));
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const openAll = async (root) => { all("details", root).forEach((each) => (each.open = true)); await settle(); };
  const cells = (table) => table && all("tbody tr", table).map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent));
  const marks = (root, kind) => all(`g[aria-label="${kind}"] rect`, root).map((rect) => ({
    text: rect.getAttribute("aria-label"), width: Number(rect.getAttribute("width")), height: Number(rect.getAttribute("height")) }));
  const part = (id) => document.getElementById(id);
  const collisions = new Set();
  const lookForCollisions = (root, when) => collisionsIn(root).forEach((each) => collisions.add(`${when}: ${each}`));
  const chooseEvery = async (section, index) => {
    let drawn = 0;
    for (const { value } of [...(all("select", section)[index]?.options ?? [])].slice(0, 24)) {
      const select = all("select", section)[index];
      select.value = value;
      select.dispatchEvent(new Event("change"));
      await settle();
      lookForCollisions(section, value);
      if (section.querySelector(".drawing svg, .empty")) ++drawn;
      else console.error(`nothing drawn for ${value}`);
    }
    return drawn;
  };

  await settle();
  lookForCollisions(document, "at first");
  const accessFaults = new Set();
  const lookForAccess = (when) => accessFaultsIn(document).forEach((each) => accessFaults.add(`${when}: ${each}`));

  const onPaper = () => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media?.mediaText === "print").flatMap((rule) => [...rule.cssRules]);
    const style = document.head.appendChild(document.createElement("style"));
    style.textContent = rules.filter((rule) => rule instanceof CSSStyleRule).map((rule) => rule.cssText).join("\n");
    const result = {
      folded: all("details").filter((each) => !each.open || each.children.length < 2).length,
      controls: all("button, select, input, nav").filter((each) => each.getClientRects().length > 0).map((each) => each.outerHTML.slice(0, 80)),
      together: all("main > section + section").filter((each) => getComputedStyle(each).breakBefore !== "page").map((each) => each.id),
    };
    style.remove();
    return result;
  };
  dispatchEvent(new Event("beforeprint"));
  const paper = onPaper();
  dispatchEvent(new Event("afterprint"));
  await settle();
  paper.left = all("details[open]").length;
  await openAll(document);
  lookForAccess("at first");
  const files = filesOf(document);
  const seen = {
    paper,
    charts: all("figure.chart").length,
    files: files.filter(({ kind }) => kind === "CSV").map(({ title, name, label, bars, text }) => ({ title, name, label, bars, text })),
    svgFaults: files.filter(({ kind }) => kind === "SVG").flatMap(svgFaults),
    title: document.title,
    heading: document.querySelector("h1").textContent,
    lead: document.querySelector(".lead")?.textContent,
    sections: all("main > section").map((section) => section.id),
    sideways: document.documentElement.scrollWidth - innerWidth,
    hidden: all("nav a").filter((link) => link.getBoundingClientRect().right > innerWidth).map((link) => link.textContent),
    means: cells(part("overview").querySelector("table")),
    failures: all(".warning li").map((item) => item.textContent),
    results: part("results") && { numbers: cells(part("results").querySelector("table")), bars: marks(part("results"), "bar") },
    items: all('main > section[id^="item-"]').map((section) => ({ heading: section.querySelector("h2").textContent, numbers: cells(section.querySelector("table")), bars: marks(section, "bar"),
      notes: all(".note", section).map((note) => note.textContent), drawings: section.querySelector("pre")?.textContent ?? "" })),
    cards: all("#overview .cards b").map((card) => card.textContent),
    stalls: part("stalls") && { numbers: cells(part("stalls").querySelector("table")), bars: marks(part("stalls"), "bar") },
    spe: part("spe") && { numbers: cells(part("spe").querySelector("table")), bars: marks(part("spe"), "bar").length },
    privateMemory: part("private-memory") && { numbers: cells(part("private-memory").querySelector("table")), bars: marks(part("private-memory"), "bar"),
      header: all("#private-memory thead th").map((cell) => cell.textContent) },
    energy: part("energy") && { numbers: cells(part("energy").querySelector("table")), bars: marks(part("energy"), "bar").length },
    times: part("times") && { numbers: cells(part("times").querySelector("table")), dots: all('#times .drawing g[aria-label="dot"] path').length },
    counters: part("counters") && all("#counters figure.chart").map((figure) => ({ title: figure.querySelector("h3").textContent, numbers: cells(figure.querySelector("table")), dots: all('.drawing g[aria-label="dot"] path', figure).length })),
    instructions: part("instructions") && { numbers: cells(part("instructions").querySelector(":scope > .scroll table")), charts: all("#instructions figure.chart").length },
    history: part("history") && { numbers: cells(part("history").querySelector("table")), lines: all('#history g[aria-label="line"] path').length, dots: all('#history .drawing g[aria-label="dot"] path').length },
    compression: part("compression") && { numbers: cells(part("compression").querySelector("table")), bars: marks(part("compression"), "bar") },
    pcHistogram: part("pc-histogram") && { cells: marks(part("pc-histogram"), "bar").length, numbers: cells(part("pc-histogram").querySelector("table")) },
    map: part("map") && { numbers: cells(part("map").querySelector("table")), cells: marks(part("map"), "cell"),
      texts: all('#map g[aria-label="text"] text').map((text) => text.textContent) },
    dots: all('#scatter g[aria-label="dot"] path').map((dot) => dot.getAttribute("aria-label")).filter(Boolean),
    lines: all('#series g[aria-label="line"] path').length,
    commands: all("#runs .command code").map((code) => code.textContent),
    machines: all("#runs pre.code").map((text) => text.textContent),
    loads: all("[src], link[href], img, iframe").map((each) => each.outerHTML),
  };
  const chooseIn = async (id, index) => (part(id) ? chooseEvery(part(id), index) : 0);
  seen.choices = { results: await chooseIn("results", 0), baselines: await chooseIn("results", 1), stalls: await chooseIn("stalls", 0), scatter: await chooseIn("scatter", 1), figures: await chooseIn("series", 1) };
  if (seen.spe) seen.spe.baselines = await chooseEvery(part("spe"), 0);
  if (seen.energy) seen.energy.baselines = await chooseEvery(part("energy"), 0);
  if (seen.map) {
    seen.map.quantities = await chooseEvery(part("map"), 0);
    seen.map.baselines = await chooseEvery(part("map"), 1);
    seen.map.subjects = await chooseEvery(part("map"), 2);
    seen.map.across = await chooseEvery(part("map"), 4);
  }
  if (seen.pcHistogram) {
    seen.pcHistogram.lines = await chooseEvery(part("pc-histogram"), 2);
    seen.pcHistogram.blocks = await chooseEvery(part("pc-histogram"), 1);
    await openAll(part("pc-histogram"));
    seen.pcHistogram.last = cells(part("pc-histogram").querySelector("table"));
  }
  seen.launches = {
    lines: all('#series g[aria-label="rule"] line[aria-label] title').map((title) => title.textContent),
    names: all('#series g[aria-label="text"] text').map((text) => text.firstChild.textContent),
  };
  seen.areas = all('#series g[aria-label="area"] path').length;
  const sizes = () => {
    const drawings = all(".drawing > svg");
    const most = (name) => Math.max(...drawings.map((svg) => Number(svg.getAttribute(name))));
    return { drawings: drawings.length, highest: most("height"), widest: most("width"), bars: part("results") ? marks(part("results"), "bar").length : 0, parts: part("stalls") ? marks(part("stalls"), "bar").length : 0 };
  };
  dispatchEvent(new Event("beforeprint"));
  seen.print = sizes();
  lookForCollisions(document, "on paper");
  dispatchEvent(new Event("afterprint"));
  seen.after = sizes();
  seen.kernels = [];
  for (const link of all("#kernels a").map((each) => each.getAttribute("href"))) {
    location.hash = link;
    await settle();
    seen.kernels.push({
      name: document.querySelector("article h2").textContent,
      figures: cells(document.querySelector("article table")),
      lines: all("article .source tr.counted").map((row) => ({ line: row.dataset.line, text: row.cells[1].textContent, values: [...row.cells].slice(2).map((cell) => cell.dataset.value ?? null) })),
      lost: all("article .lost").length,
      bars: marks(document.querySelector("article"), "bar").length,
      sideways: document.documentElement.scrollWidth - innerWidth,
    });
    lookForCollisions(document, link);
    if (document.querySelector("main :focus") === null) accessFaults.add(`${link}: the focus is left where the link was`);
    await openAll(document);
    lookForAccess(link);
  }
  location.hash = part("results") ? "#results" : "#overview";
  await settle();
  seen.back = Boolean(part("overview"));
  seen.collisions = [...collisions];
  seen.access = [...accessFaults];
  const element = document.createElement("script");
  element.type = "application/json";
  element.id = "seen";
  element.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))));
  document.body.append(element);
})();
