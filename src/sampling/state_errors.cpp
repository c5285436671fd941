#include "sampling/state_errors.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::sampling {

bool StateErrors::isDue() const {
  return recalled_ != 0 && std::max<u64>(2, static_cast<u64>(std::bit_width(recalled_))) > measured_.size();
}

stats::Estimate StateErrors::errorOf(double cycles) const {
  if (cycles != 0 && measured_.size() < 2) return {.isPredicted = true};
  stats::Estimate error = stats::predictRest(measured_, cycles);
  error.variance += error.value * error.value / 12;
  error.value /= 2;
  return error;
}

void StateErrors::checked(double recalled, double behindTimed) { measured_.push_back({std::max(1.0, recalled), {behindTimed - recalled}}); }

}  // namespace warpwright::sampling
