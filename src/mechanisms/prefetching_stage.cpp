#include "mechanisms/prefetching_stage.hpp"

#include "base/memory_units.hpp"
#include "sm/access/coalescers.hpp"

namespace warpwright::mechanisms {

void PrefetchingStage::access(sm::LaneAccess& access, sm::MemoryOperation& operation, Cycle now) {
  if (access.space != isa::Space::global || access.isStore || access.isAtomic || access.isTexel || access.isPrefetch) return;
  if (operation.context.isHelper() || access.lanes.empty() || sm::passesL1(access, machine_.sm)) return;
  ++counts_.loads;
  train(access, access.addresses[access.lanes.least()], now);
}

void PrefetchingStage::prefetch(const sm::LaneAccess& load, s64 distance) {
  ++counts_.predicted;
  std::optional<GlobalAddress> before;
  for (const LaneId lane : load.lanes) {
    const u64 address = load.addresses[lane] + static_cast<u64>(distance);
    const bool isBeyondMemory = (distance < 0) != (address < load.addresses[lane]);
    if (isBeyondMemory) continue;
    const GlobalAddress line = alignDown(GlobalAddress(address), lineBytes());
    if (before == line) continue;
    want(line, load.origin);
    before = line;
  }
}

void PrefetchingStage::want(GlobalAddress line, const mem::Origin& origin) {
  ++counts_.lines;
  if (cache_.holds(line) || waits(line)) {
    ++counts_.there;
  } else if (queue_.full()) {
    ++counts_.refused;
  } else {
    queue_.push({line, origin});
  }
}

bool PrefetchingStage::waits(GlobalAddress line) const {
  for (u32 i = 0; i < queue_.size(); ++i)
    if (queue_[i].line == line) return true;
  return false;
}

bool PrefetchingStage::tick(Cycle now) {
  if (queue_.empty()) return false;
  const Wanted& next = queue_.front();
  if (cache_.holds(next.line)) {  // a load has asked for it meanwhile
    ++counts_.there;
    queue_.pop();
    return true;
  }
  mem::Request request;
  request.address = next.line;
  request.lineBytes = lineBytes();
  request.sectors = (1u << lineBytes() / mem::Request::kSectorBytes) - 1;
  request.type = mem::AccessType::prefetch;
  request.wantsResponse = false;
  request.origin = next.origin;
  request.born = now;
  const sm::LineAccess access{request, sm::Route::l1Data};
  if (!below_.canAccept(access)) return false;
  below_.ask(access, now);
  ++counts_.sent;
  queue_.pop();
  return true;
}

void PrefetchingStage::invalidate() {
  for (; !queue_.empty(); queue_.pop()) ++counts_.refused;
  forget();
}

std::optional<std::string> prefetchingProblem(const config::Machine& machine) {
  if (machine.l1d.bytes == 0) return "the machine has no first-level data cache (l1d.bytes = 0) to prefetch into";
  if (!machine.sm.cacheGlobalLoads)
    return "loads of global memory go past the first-level data cache (sm.memory.cache_global_loads = false), and would not find what is "
           "prefetched";
  return std::nullopt;
}

}  // namespace warpwright::mechanisms
