#include "sm/access/lane_access.hpp"

#include <algorithm>

namespace warpwright::sm {

void KeptAccess::keep(const LaneAccess& access, std::span<const u64> addresses) {
  access_ = access;
  addresses_.assign(addresses.begin(), addresses.end());
  values_.clear();
  if (access.values == nullptr) return;
  const std::size_t words = std::max(std::size_t{1}, access.bytes / sizeof(u32));
  values_.assign(access.values, access.values + words * access.valueLanes);
}

LaneAccess KeptAccess::access() const {
  LaneAccess access = access_;
  access.addresses = addresses_.data();
  access.values = values_.empty() ? nullptr : values_.data();
  return access;
}

}  // namespace warpwright::sm
