#include "sm/schedulers/ccws.hpp"

#include <algorithm>

#include "sm/memory_operation.hpp"

namespace warpwright::sm {
namespace {

u64 keyOf(const mem::Origin& instruction) { return u64{instruction.launch} << 32 | instruction.pc; }

std::optional<std::string> problem(const std::any& any, const config::Machine& machine) {
  const auto& settings = std::any_cast<const CcwsSettings&>(any);
  if (machine.l1d.bytes == 0) return "it needs a first-level data cache, and l1d.bytes is 0";
  if (settings.victimTags % settings.victimWays != 0) return "victim_tags must be a multiple of victim_ways";
  return std::nullopt;
}

}  // namespace

std::span<const config::Row<CcwsSettings>> ccwsRows() {
  static constexpr std::array kRows = {
      config::row<&CcwsSettings::victimTags>("victim_tags", "tags", {1, 4096},
                                             "Of lines that a warp lost, kept for each warp. Default: 16 (Rogers and others)."),
      config::row<&CcwsSettings::victimWays>("victim_ways", "ways", {1, 4096}, "Of a set of these tags. Default: 8 (Rogers and others)."),
      config::row<&CcwsSettings::baseScore>("base_score", "", {1, 1'000'000},
                                            "What a warp without lost locality has. Default: 100 (Rogers and others)."),
      config::row<&CcwsSettings::throttle>(
          "throttle", "", {1, 1'000},
          "Factor of a score: misses that would have been hits, over instructions issued, times it, times the "
          "cutoff. Default: 8 (Rogers and others, K_THROTTLE)."),
  };
  return kRows;
}

std::span<u64> VictimTags::setOf(u64 line) {
  const u64 sets = tags_.size() / ways_;
  return std::span(tags_).subspan(line % sets * ways_, ways_);
}

void VictimTags::insert(GlobalAddress address) {
  const u64 line = address / lineBytes_;
  const std::span<u64> set = setOf(line);
  std::shift_right(set.begin(), set.end(), 1);
  set.front() = line;
}

bool VictimTags::take(GlobalAddress address) {
  const u64 line = address / lineBytes_;
  const std::span<u64> set = setOf(line);
  const auto found = std::find(set.begin(), set.end(), line);
  if (found == set.end()) return false;
  std::shift_left(found, set.end(), 1);
  set.back() = kNone;
  return true;
}

Ccws::Ccws(const CcwsSettings& settings, u32 lineBytes)
    : settings_(settings), warps_(kSlots, Warp(VictimTags(settings.victimTags, settings.victimWays, lineBytes))) {}

u64 Ccws::cutoff() const { return u64{resident_.size()} * settings_.baseScore; }

u64 Ccws::score(SlotId slot, Cycle now) const {
  const Warp& warp = warps_[slot];
  const u64 faded = now > warp.since ? now - warp.since : 0;
  return settings_.baseScore + (warp.score > faded ? warp.score - faded : 0);
}

// Warps stand on one another, the highest score first; those that stand higher than the cutoff wait. The first never does.
WarpSet Ccws::throttled(Cycle now) const {
  if (now >= calm_) return {};
  std::array<std::pair<u64, u32>, kSlots> stack;
  std::size_t count = 0;
  for (const SlotId slot : resident_) {
    stack[count++] = {score(slot, now), slot};
  }
  std::sort(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(count), [](const auto& one, const auto& other) {
    return one.first != other.first ? one.first > other.first : one.second < other.second;
  });
  WarpSet result;
  u64 height = 0;
  for (std::size_t i = 0; i < count; ++i) {
    height += stack[i].first;
    if (i != 0 && height > cutoff()) result.insert(stack[i].second);
  }
  return result;
}

WarpSet Ccws::loading(WarpSet slots, const SchedulerView& view) const {
  WarpSet result;
  for (const SlotId slot : slots) {
    if (loads_.contains(keyOf(view.next[slot]))) result.insert(slot);
  }
  return result;
}

SlotId Ccws::pick(const SchedulerView& view) {
  resident_ = view.resident;
  const WarpSet held = loading(view.ready & view.memory & throttled(view.now), view);
  const WarpSet candidates = view.ready & ~held;
  heldBack_ = candidates ? WarpSet{} : held;
  if (!candidates) return kNoWarp;
  return candidates.contains(last_) ? last_ : oldest(candidates, view.age);
}

void Ccws::issued(SlotId slot) {
  last_ = slot;
  ++instructions_;
}

void Ccws::launchBegins() {
  instructions_ = hits_ = 0;
  loads_.clear();
}

void Ccws::accessIssued(const MemoryOperation& access) {
  const auto usesL1 = [](const RoutedRequest& request) { return request.route == Route::l1Data && !mem::isWrite(request.request.type); };
  if (std::any_of(access.requests.begin(), access.requests.end(), usesL1)) loads_.insert(keyOf(access.origin));
}

// A slot's next warp begins without the tags of the one before.
Ccws::Warp& Ccws::warpOf(const mem::Origin& origin) {
  Warp& warp = warps_[origin.slot];
  if (isOf(warp, origin)) return warp;
  warp.launch = origin.launch;
  warp.block = origin.block;
  warp.lost.clear();
  warp.score = 0;
  return warp;
}

void Ccws::cacheAccessed(const mem::Request& access, bool isHit, Cycle now) {
  Warp& warp = warpOf(access.origin);
  if (isHit || mem::isWrite(access.type) || !warp.lost.take(access.address)) return;
  ++hits_;
  const u64 score = hits_ * settings_.throttle * cutoff() / std::max<u64>(instructions_, 1);
  warp.score = score > settings_.baseScore ? score - settings_.baseScore : 0;
  warp.since = now;
  calm_ = std::max(calm_, now + warp.score);
}

void Ccws::lineEvicted(GlobalAddress address, const mem::Origin& whose, Cycle) {
  Warp& warp = warps_[whose.slot];
  if (isOf(warp, whose)) warp.lost.insert(address);
}

// The first cycle from which on a warp may go that the last pick held back; those that already might had their chance.
Cycle Ccws::nextUseful(Cycle now) const {
  if (heldBack_.empty() || now == Cycle{} || frees(previous(now))) return kNever;
  u64 early = now.ticks, late = std::max(now, calm_).ticks;  // free at the latest then
  while (early < late) {
    const u64 middle = early + (late - early) / 2;
    if (frees(Cycle{middle})) {
      late = middle;
    } else {
      early = middle + 1;
    }
  }
  return Cycle{early};
}

constinit const SchedulerEntry kCcws{
    {.name = "ccws",
     .text = "Greedy then oldest, but loads of warps wait while others lose lines of the data cache that they would use again.",
     .source = "Rogers, O'Connor, Aamodt, \"Cache-Conscious Wavefront Scheduling\", MICRO 2012",
     .defaults = config::policyDefaults<CcwsSettings>,
     .settings = config::policySettings<CcwsSettings, ccwsRows>,
     .problem = problem},
    [](const std::any& settings, const SchedulerContext& context) -> std::unique_ptr<WarpScheduler> {
      return std::make_unique<Ccws>(std::any_cast<const CcwsSettings&>(settings), context.machine.l1d.lineBytes);
    }};

}  // namespace warpwright::sm
