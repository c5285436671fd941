// A figure, a table or a section of a paper with our values beside the published ones, and how that is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/analysis/table.hpp"
#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

struct Bounds {
  double low = 0, high = 0;
};

// A published value, and ours: a number, or words where the published one is a word.
struct Compared {
  PublishedValue value;
  Value ours;
  std::optional<Bounds> bounds;    // of an energy: ours with all costs at their low and at their high bounds
  std::vector<std::string> words;  // several where they are equally good
};

struct ItemComparison {
  Item item;
  std::vector<Compared> values;
  std::string drawings;            // bars and maps of many programs, as lines of text
  std::vector<std::string> notes;  // what is known of its differences, and how it was made
};

// "Table 3.1", "Section 3.2".
std::string numberOf(const Item& item);
// "Table 3.1, section 3.4: What it shows".
std::string titleOf(const Item& item);

// A row of the comparison in words. `ours` and `difference` are empty where there is none.
struct ComparedText {
  std::string name, published, ours, difference;
};
ComparedText textOf(const Item& item, const Compared& compared);

// Ours as a multiple of the published value; nothing where one of them is no number, or the published one 0.
Value relativeTo(const Compared& compared);

// The whole as lines of text: title, values in columns, drawings, notes.
std::string textOf(const ItemComparison& comparison);

}  // namespace warpwright::lab
