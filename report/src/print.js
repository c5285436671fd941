// On paper all is open that can be.
import { openDetails } from "./dom.js";

let opened = [];
addEventListener("beforeprint", () => (opened = openDetails(document)));
addEventListener("afterprint", () => {
  for (const element of opened) element.open = false;
  opened = [];
});
