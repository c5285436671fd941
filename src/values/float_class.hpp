// Affine vectors of floating-point numbers. Collange and Kouyoumdjian, "Affine Vector Cache", section 3.2, note for CFD that most of the
// affine vectors in private memory hold floating-point numbers; as words those are affine only when uniform or by chance. This is the
// option of looking at them as numbers.
#pragma once

#include "base/types.hpp"

namespace warpwright::values {

// Are the active lanes, as single-precision numbers, those that one multiply-add a lane gives?
//   d_i = round(d_f + (i - f) * s),   s = round((d_g - d_f) / (g - f))
// f and g are the first two active lanes. Uniform vectors are (of any bits); with infinities and NaN others are not.
bool isFloatAffine(const u32* lanes, LaneMask active);

}  // namespace warpwright::values
