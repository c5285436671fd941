// Dotted words against the modifier slots of the grammar.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ptx/grammar.hpp"

namespace warpwright::ptx {

struct Match {
  const Row* row = nullptr;
  Modifiers modifiers;
};

// "ld.global.v2.f32" → "ld", "global", "v2", "f32".
std::vector<std::string_view> splitWord(std::string_view word);

// Every row whose slots take the word's modifiers; empty when there is none.
std::vector<Match> matchForms(std::string_view word);

// The valid form that takes the fewest changes from `word`; empty when nothing is near.
std::string nearestForm(std::string_view word);

}  // namespace warpwright::ptx
