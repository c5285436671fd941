#include "config/sm_groups.hpp"

namespace warpwright::config {

std::vector<SmGroup> smGroups(const Machine& machine) {
  const u32 most = machine.clusterMultiprocessors, sms = machine.multiprocessors;
  if (most == 0) return {};
  const u32 count = (sms + most - 1) / most;
  const u32 unit = most % 2 == 0 ? 2 : 1, units = sms / unit;
  std::vector<SmGroup> groups;
  u32 first = 0;
  for (u32 i = 0; i < count; ++i) {
    const u32 own = (units / count + (i < units % count ? 1 : 0)) * unit;
    const u32 left = i + 1 == count ? sms - first : own;  // an SM without a partner is in the last one
    groups.push_back({first, left});
    first += left;
  }
  return groups;
}

}  // namespace warpwright::config
