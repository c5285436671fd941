#include "machines/verdict/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "machines/verdict/evidence.hpp"
#include "machines/verdict/rules.hpp"

namespace warpwright::machines {

std::vector<Limit> limitsOf(const KernelTiming& kernel, const profile::KernelProfile* profile, const config::Machine& machine) {
  if (kernel.launches.empty() || kernel.counters.gpu.sm.slots.total() == 0) return {};
  std::vector<Limit> limits;
  const Evidence evidence(kernel, profile, machine);
  for (const verdict::Rule rule : verdict::rules()) rule(evidence, limits);
  std::erase_if(limits, [](const Limit& each) { return each.share < kLeastShare; });
  std::ranges::stable_sort(limits, std::greater{}, &Limit::share);
  if (limits.size() > kMostLimits) limits.resize(kMostLimits);
  return limits;
}

}  // namespace warpwright::machines
