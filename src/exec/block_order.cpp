#include "exec/block_order.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::exec {

BlockOrder::BlockOrder(std::vector<Stretch> stretches) : stretches_(std::move(stretches)) {
  u64 end = 0;
  for (const Stretch& stretch : stretches_) ends_.push_back(end += stretch.blocks);
}

u64 BlockOrder::at(u64 position) const {
  const auto index = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), position) - ends_.begin());
  const Stretch& stretch = stretches_[index];
  return stretch.first + stretch.blocks - (ends_[index] - position);
}

}  // namespace warpwright::exec
