// applyModifier() and valuesOf() for the categories of matrix_form.hpp.
#pragma once

#include <span>

#include "ptx/grammar.hpp"

namespace warpwright::ptx {

void applyMatrixModifier(Category category, const ModifierValue& value, Modifiers& modifiers);
std::span<const ModifierValue> matrixValuesOf(Category category);

}  // namespace warpwright::ptx
