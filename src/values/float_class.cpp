#include "values/float_class.hpp"

#include <bit>
#include <cmath>

namespace warpwright::values {

namespace {

bool isUniformFrom(const u32* lanes, LaneMask active, u32 first) {
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    if (lanes[std::countr_zero(rest)] != lanes[first]) return false;
  }
  return true;
}

}  // namespace

bool isFloatAffine(const u32* lanes, LaneMask active) {
  if (active == 0) return true;
  const u32 first = static_cast<u32>(std::countr_zero(active));
  if (isUniformFrom(lanes, active, first)) return true;
  const LaneMask others = active & (active - 1);
  const u32 second = static_cast<u32>(std::countr_zero(others));

  const float base = std::bit_cast<float>(lanes[first]);
  const double step = (static_cast<double>(std::bit_cast<float>(lanes[second])) - base) / (second - first);
  const float stride = static_cast<float>(step);
  if (!std::isfinite(base) || !std::isfinite(stride)) return false;
  for (LaneMask rest = others; rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    const float value = std::fma(static_cast<float>(lane - first), stride, base);
    if (std::bit_cast<u32>(value) != lanes[lane]) return false;
  }
  return true;
}

}  // namespace warpwright::values
