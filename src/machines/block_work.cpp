#include "machines/block_work.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace warpwright::machines {
namespace {

// Chosen: what is left out of account is then below the errors that one asks for.
constexpr double kAlike = 0.1, kUnlikeWork = 0.01;

std::vector<u64> addedUp(const std::vector<u64>& work, const exec::BlockOrder* order) {
  std::vector<u64> before(work.size() + 1);
  for (std::size_t i = 0; i < work.size(); ++i) before[i + 1] = before[i] + work[order ? order->at(i) : i];
  return before;
}

}  // namespace

BlockWork::BlockWork(const std::vector<u64>& work, u64 places, const exec::BlockOrder* order)
    : byNumber_(addedUp(work, nullptr)), before_(order ? addedUp(work, order) : byNumber_), places_(std::max<u64>(1, places)) {
  // The more blocks are known, the less of the rest is unlike them.
  u64 tooFew = 0;
  alikeFrom_ = blocks();
  while (tooFew + 1 < alikeFrom_) {
    const u64 middle = (tooFew + alikeFrom_) / 2;
    (areAlike(middle) ? alikeFrom_ : tooFew) = middle;
  }
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

double BlockWork::tailOf(const std::vector<u64>& before, u64 blocks, std::span<const double> starts) const {
  std::vector<double> first(places_);
  std::copy_n(starts.begin(), std::min<std::size_t>(places_, starts.size()), first.begin());
  const double balanced = std::accumulate(first.begin(), first.end(), static_cast<double>(before[blocks]));
  double end = 0;
  std::priority_queue<double, std::vector<double>, std::greater<>> free(std::greater<>(), std::move(first));
  for (u64 block = 0; block < blocks; ++block) {
    const double ends = free.top() + static_cast<double>(before[block + 1] - before[block]);
    free.pop();
    free.push(ends);
    end = std::max(end, ends);
  }
  return end - balanced / static_cast<double>(places_);
}

}  // namespace warpwright::machines
