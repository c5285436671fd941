// The files that the buttons of a page's charts give: their names and texts, and what an SVG lacks to be seen without the page.
// Their texts are taken before they are blobs: to read a blob takes real time, for which virtual time does not wait.
const filesOf = (root) => {
  const files = [], { Blob } = globalThis, { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype;
  globalThis.Blob = function (parts) { files.push({ text: parts.join("") }); };
  URL.createObjectURL = () => "#";
  HTMLAnchorElement.prototype.click = function () { files.at(-1).name = this.download; };
  const pressed = [...root.querySelectorAll("figure.chart")].flatMap((figure) => [...figure.querySelectorAll(".downloads button")].map((button) => {
    button.click();
    const marks = figure.querySelectorAll(".drawing :is(rect, line, circle, text)").length;
    const bars = figure.querySelectorAll('.drawing :is([aria-label="bar"], [aria-label="cell"]) rect').length;
    return { title: figure.querySelector("h3").textContent, kind: button.textContent, label: figure.querySelector(".drawing svg").getAttribute("aria-label"), marks, bars };
  }));
  Object.assign(globalThis, { Blob });
  Object.assign(URL, { createObjectURL });
  Object.assign(HTMLAnchorElement.prototype, { click });
  if (files.length !== pressed.length) throw new Error(`${pressed.length} buttons gave ${files.length} files`);
  return pressed.map((each, index) => ({ ...each, ...files[index] }));
};

const svgFaults = ({ text, title, marks }) => {
  const file = new DOMParser().parseFromString(text, "image/svg+xml");
  const drawn = file.querySelectorAll(":is(svg svg) :is(rect, line, circle, text)").length, swatches = file.querySelectorAll("svg svg svg").length;
  const titleText = [...file.querySelectorAll("svg > text")].map((each) => each.textContent);
  return [
    ...(file.querySelector("parsererror") ? ["is no XML"] : []),
    ...(/var\(|currentColor|<style|\sclass=|\sstyle=|href=|url\(/.exec(text) ?? []).map((need) => `needs the page: ${need}`),
    ...(titleText.includes(title) ? [] : ["lacks its title"]),
    ...(drawn + swatches < marks ? [`has ${drawn} of ${marks} marks`] : []),
  ].map((fault) => `${title}: the SVG ${fault}`);
};
