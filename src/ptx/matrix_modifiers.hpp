// applyModifier() and valuesOf() for the categories of matrix_form.hpp.
#pragma once

#include <span>

#include "ptx/grammar.hpp"

namespace warpwright::ptx {

// An entry of the tables of modifiers.
template <typename Enum>
constexpr ModifierValue value(std::string_view text, Enum code) {
  return {text, static_cast<u8>(code)};
}

void applyMatrixModifier(Category category, const ModifierValue& value, Modifiers& modifiers);
std::span<const ModifierValue> matrixValuesOf(Category category);

}  // namespace warpwright::ptx
