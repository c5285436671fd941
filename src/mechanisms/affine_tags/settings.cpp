#include "mechanisms/affine_tags/settings.hpp"

#include <array>

namespace warpwright::config {
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::affine_tags::Detection> = {"registers", "code"};
}  // namespace warpwright::config

namespace warpwright::mechanisms::affine_tags {

std::span<const config::Row<Settings>> rows() {
  static const std::array kRows{
      config::choice<&Settings::detection>(
          "detection",
          "tags of registers, or tags that a compiler writes into instructions; Collange, Defour and Zhang, section 5, describes both and "
          "evaluates the first"),
      config::choice<&Settings::powersAsShifts>("powers_as_shifts",
                                                "an affine value times a constant power of two is affine, as it is when shifted; Collange, "
                                                "Defour and Zhang, section 5: products are "
                                                "generic"),
      config::choice<&Settings::shortOccupancy>(
          "short_occupancy",
          "operations on uniform and affine values occupy their pipe as one or two lanes do; Collange, Defour and Zhang, section 5: one "
          "cycle instead of two"),
      config::choice<&Settings::operandsApart>("operands_apart",
                                               "bases and strides lie beside the tags, so that uniform and affine operands need no "
                                               "register bank, and such results no write-back port; Collange, Defour and Zhang, "
                                               "section 5: they lie in lanes of the register"),
      config::choice<&Settings::reissueConversions>("reissue_conversions",
                                                    "the SIMD units convert an affine operand of a vector operation, which issues once "
                                                    "more; otherwise hardware of its own does, in no "
                                                    "time; Collange, Defour and Zhang, section 6, has both"),
      config::choice<&Settings::scalarPipe>("scalar_pipe",
                                            "integer operations on uniform values have a pipe of their own, an instruction a cycle, beside "
                                            "the vector pipes; none in the paper"),
  };
  return kRows;
}

}  // namespace warpwright::mechanisms::affine_tags
