#include "values/float_class.hpp"

#include <bit>
#include <cmath>

namespace warpwright::values {

namespace {

bool isUniformFrom(const u32* lanes, LaneMask active, u32 first) {
  for (const LaneId lane : active) {
    if (lanes[lane] != lanes[first]) return false;
  }
  return true;
}

}  // namespace

bool isFloatAffine(const u32* lanes, LaneMask active) {
  if (active.empty()) return true;
  const u32 first = active.least();
  if (isUniformFrom(lanes, active, first)) return true;
  const LaneMask others = active.withoutLeast();
  const u32 second = others.least();

  const float base = std::bit_cast<float>(lanes[first]);
  const double step = (static_cast<double>(std::bit_cast<float>(lanes[second])) - base) / (second - first);
  const float stride = static_cast<float>(step);
  if (!std::isfinite(base) || !std::isfinite(stride)) return false;
  for (const LaneId lane : others) {
    const float value = std::fma(static_cast<float>(lane - first), stride, base);
    if (std::bit_cast<u32>(value) != lanes[lane]) return false;
  }
  return true;
}

}  // namespace warpwright::values
