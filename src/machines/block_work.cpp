#include "machines/block_work.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace warpwright::machines {
namespace {

// Chosen: what is left out of account is then below the errors that one asks for.
constexpr double kAlike = 0.1, kUnlikeWork = 0.01;

}  // namespace

BlockWork::BlockWork(const std::vector<u64>& work, u64 places, const exec::BlockOrder* order)
    : before_(work.size() + 1), places_(std::max<u64>(1, places)) {
  addUp(work, nullptr);
  tail_ = tail(blocks());
  if (order) addUp(work, order);
  // The more blocks are known, the less of the rest is unlike them.
  u64 tooFew = 0;
  alikeFrom_ = blocks();
  while (tooFew + 1 < alikeFrom_) {
    const u64 middle = (tooFew + alikeFrom_) / 2;
    (areAlike(middle) ? alikeFrom_ : tooFew) = middle;
  }
}

void BlockWork::addUp(const std::vector<u64>& work, const exec::BlockOrder* order) {
  for (std::size_t i = 0; i < work.size(); ++i) before_[i + 1] = before_[i] + work[order ? order->at(i) : i];
}

bool BlockWork::areAlike(u64 known) const {
  u64 least = ~u64{0}, most = 0, unlike = 0;
  for (u64 block = 0; block < known; ++block) {
    least = std::min(least, sizeOf(block));
    most = std::max(most, sizeOf(block));
  }
  const double low = static_cast<double>(least) * (1 - kAlike), high = static_cast<double>(most) * (1 + kAlike);
  for (u64 block = known; block < blocks(); ++block) {
    const auto size = static_cast<double>(sizeOf(block));
    if (size < low || size > high) unlike += sizeOf(block);
  }
  return static_cast<double>(unlike) <= kUnlikeWork * static_cast<double>(all());
}

double BlockWork::tail(u64 blocks) const {
  std::priority_queue<u64, std::vector<u64>, std::greater<>> free;  // when each place that was taken is free again
  u64 end = 0;
  for (u64 block = 0; block < blocks; ++block) {
    u64 begin = 0;
    if (free.size() == places_) {
      begin = free.top();
      free.pop();
    }
    free.push(begin + sizeOf(block));
    end = std::max(end, begin + sizeOf(block));
  }
  return static_cast<double>(end) - static_cast<double>(upTo(blocks)) / static_cast<double>(places_);
}

}  // namespace warpwright::machines
