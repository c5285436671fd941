#include "exec/race_clock.hpp"

#include <algorithm>

namespace warpwright::exec {
namespace {

constexpr std::size_t kMostEntries = 256;  // bounds what joining costs where each block of a large grid learns of all before it

}  // namespace

std::vector<RaceClock::Entry>::iterator RaceClock::firstFrom(u64 key) {
  return std::lower_bound(entries_.begin(), entries_.end(), key, [](const Entry& each, u64 wanted) { return each.key < wanted; });
}

u64 RaceClock::entry(u64 key) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), key, [](const Entry& each, u64 wanted) { return each.key < wanted; });
  return found != entries_.end() && found->key == key ? found->moment : 0;
}

u64 RaceClock::of(u32 block, u32 warp) const { return std::max({floor_, entry(keyOfWhole(block)), entry(keyOf(block, warp))}); }

void RaceClock::raiseEntry(u64 key, u64 moment) {
  if (moment <= floor_) return;
  const auto at = firstFrom(key);
  if (at != entries_.end() && at->key == key) {
    at->moment = std::max(at->moment, moment);
    return;
  }
  entries_.insert(at, {key, moment});
  bound();
}

void RaceClock::raiseAll(u64 moment) {
  floor_ = std::max(floor_, moment);
  std::erase_if(entries_, [&](const Entry& each) { return each.moment <= floor_; });
}

void RaceClock::join(const RaceClock& other) {
  if (other.floor_ > floor_) raiseAll(other.floor_);
  if (other.entries_.empty()) return;
  std::vector<Entry> both;
  both.reserve(entries_.size() + other.entries_.size());
  auto mine = entries_.begin();
  for (const Entry& theirs : other.entries_) {
    while (mine != entries_.end() && mine->key < theirs.key) both.push_back(*mine++);
    const bool isKnown = mine != entries_.end() && mine->key == theirs.key;
    const u64 moment = isKnown ? std::max(mine++->moment, theirs.moment) : theirs.moment;
    if (moment > floor_) both.push_back({theirs.key, moment});
  }
  both.insert(both.end(), mine, entries_.end());
  entries_ = std::move(both);
  bound();
}

void RaceClock::unite(u32 block, u32 warps) {
  const auto first = firstFrom(keyOfWhole(block)), end = firstFrom(keyOfWhole(block + 1));
  const auto isWarp = [&](const Entry& each) { return each.key != keyOfWhole(block); };
  if (std::count_if(first, end, isWarp) < s64{warps}) return;
  u64 best = 0;
  for (auto each = first; each != end; ++each) best = std::max(best, each->moment);
  *first = {keyOfWhole(block), best};
  entries_.erase(first + 1, end);
}

void RaceClock::clear() {
  floor_ = 0;
  entries_.clear();
}

void RaceClock::bound() {
  if (entries_.size() <= kMostEntries) return;
  for (const Entry& each : entries_) floor_ = std::max(floor_, each.moment);
  entries_.clear();
}

}  // namespace warpwright::exec
