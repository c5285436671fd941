// Sections of mechanisms, each in a file with the mechanism's name: what the rest of the page knows of them.
import { section as lineCompression } from "./line-compression.js";
import { section as memoryClasses } from "./memory-classes.js";

export const mechanismSections = [memoryClasses, lineCompression].filter(({ isThere }) => isThere());
