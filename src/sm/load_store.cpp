#include "sm/load_store.hpp"

#include <algorithm>
#include <numeric>

namespace warpwright::sm {
namespace {

LineAccess lineAccess(const MemoryOperation& operation, const RoutedRequest& routed) {
  return {routed.request, routed.route, routed.words == RoutedRequest::kNoWords ? nullptr : &operation.words[routed.words], operation.plan,
          operation.context.isHelper() ? std::nullopt : std::optional(operation.context.slot)};
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const config::Machine& machine, MemoryPorts& ports, MemoryListener& listener)
    : sm_(machine.sm),
      ports_(ports),
      listener_(listener),
      queue_(std::max(1u, sm_.memoryQueue)),
      queueCapacity_(std::max(1u, sm_.memoryQueue)),
      mostOperations_(queueCapacity_ + sm_.storesInFlight + machine.warpsPerSm * machine.registersPerThread) {}

MemoryOperation& LoadStoreUnit::prepare() {
  if (free_.empty()) {
    MemoryOperation& operation = operations_.emplace_back();
    operation.entry = static_cast<u32>(operations_.size() - 1);
    return operation;
  }
  MemoryOperation& operation = operations_[free_.back()];
  free_.pop_back();
  operation.reset();
  return operation;
}

MemoryOperation& LoadStoreUnit::begin(AccessStage& stage) {
  MemoryOperation& operation = prepare();
  operation.stage = &stage;
  return operation;
}

void LoadStoreUnit::accept(MemoryOperation& operation, Cycle enters) {
  operation.enters = enters;
  operation.isQueued = true;
  queue_.push(operation.entry);
  ++operationsInFlight_;
  stats_.instructions += operation.stage == nullptr;
  if (operation.isExpanded()) noteExpanded(operation, enters);
}

void LoadStoreUnit::acceptByTime(MemoryOperation& operation, Cycle enters) {
  accept(operation, enters);
  for (u32 index = queue_.size() - 1; index != 0 && operations_[queue_[index - 1]].enters > enters; --index)
    std::swap(queue_[index - 1], queue_[index]);
}

// What it asks for is known.
void LoadStoreUnit::noteExpanded(MemoryOperation& operation, Cycle now) {
  for (RoutedRequest& each : operation.requests) {
    each.request.id = operation.entry;
    each.request.born = now;
  }
  operation.outstanding = operation.isPrefetch ? 0 : static_cast<u32>(operation.requests.size()) + operation.awaited + operation.isRemote;
  stats_.transactions += operation.requests.size();
  stats_.add(operation.moved);
  if (origins_) countMoved(operation.origin, operation.moved);
  stats_.cachePasses += operation.cachePasses;
  if (operation.sharedPasses == 0) return;
  ++stats_.sharedAccesses;
  stats_.sharedPasses += operation.sharedPasses;
}

bool LoadStoreUnit::tick(Cycle now) {
  if (queue_.empty()) return false;
  const u32 entry = queue_.front();
  MemoryOperation& operation = operations_[entry];
  if (operation.enters > now) return false;
  if (!operation.isExpanded()) {
    if (!expand(operation, now)) {
      ++stats_.blocked;
      return false;
    }
    noteExpanded(operation, now);
  }
  if (operation.sharedPasses != 0 && operation.sharedDone == Cycle{} && !sendShared(operation, now)) return false;
  if (operation.cachePasses != 0 && !operation.hasBanks && !takeBanksOfCache(operation, now)) return false;
  const bool progressed = sendRequests(operation, now);
  if (operation.sent < operation.requests.size()) return progressed;
  queue_.pop();
  operation.isQueued = false;
  listener_.memorySent(operation, now);
  finishIfDone(entry, now);
  return true;
}

// The banks serve one pass after another; the unit goes on when the last has begun. What the passes behind the first add to the access'
// latency; nothing: the banks are taken.
std::optional<u64> LoadStoreUnit::takeBanks(u32 passes, Cycle now) {
  if (banksFree_ > now) return {};
  const u64 cycles = sm_.sharedPorts == 1 ? passes : (passes + sm_.sharedPorts - 1) / sm_.sharedPorts;
  banksFree_ = now + cycles;
  return (cycles - 1) * sm_.passLatency;
}

bool LoadStoreUnit::sendShared(MemoryOperation& operation, Cycle now) {
  if (operation.isRemote) return sendRemote(operation, now);
  const std::optional<u64> further = takeBanks(operation.sharedPasses, now);
  if (!further) return false;
  operation.sharedDone = now + *further + sm_.sharedLatency + sm_.bankMapLatency + operation.sharedDelay;
  return true;
}

bool LoadStoreUnit::takeBanksOfCache(MemoryOperation& operation, Cycle now) {
  const std::optional<u64> further = takeBanks(operation.cachePasses, now);
  if (!further) return false;
  operation.cacheDelay = static_cast<u32>(*further);
  operation.hasBanks = true;
  return true;
}

// One access after another leaves for the other SMs, so many bytes a cycle; when it is answered is for the machine to say. What of it goes
// to the SM's own banks costs nothing beside.
bool LoadStoreUnit::sendRemote(MemoryOperation& operation, Cycle now) {
  if (remoteFree_ > now) return false;
  const u32 bytes = std::accumulate(operation.remoteBytes.begin(), operation.remoteBytes.end(), 0u);
  remoteFree_ = now + std::max(1u, (bytes + sm_.remoteSharedBytes - 1) / sm_.remoteSharedBytes);
  operation.sharedDone = now;
  remoteMessages_.push_back({now, operation.entry, operation.context.slot, operation.remoteBytes});
  ++stats_.remoteAccesses;
  stats_.remoteBytes += bytes;
  return true;
}

void LoadStoreUnit::respondRemote(u32 entry, Cycle now) {
  --operations_[entry].outstanding;
  finishIfDone(entry, now);
}

bool LoadStoreUnit::sendRequests(MemoryOperation& operation, Cycle now) {
  const u32 before = operation.sent;
  while (operation.sent < operation.requests.size()) {
    const RoutedRequest& next = operation.requests[operation.sent];
    if (!canSend(operation, next)) {
      ++stats_.blocked;
      break;
    }
    ports_.send(lineAccess(operation, next), now);
    ++operation.sent;
    linesWritten_ += operation.isWrite();
  }
  return operation.sent != before || operation.requests.empty();
}

bool LoadStoreUnit::canSend(const MemoryOperation& operation, const RoutedRequest& request) const {
  return (!operation.isWrite() || sm_.storesInFlight == 0 || linesWritten_ < sm_.storesInFlight) &&
         ports_.canSend(lineAccess(operation, request));
}

void LoadStoreUnit::countLoad(const mem::Origin& origin, u64 cycles) {
  mem::LoadUse& use = origins_->loads.of(origin);
  ++use.count;
  use.cycles += cycles;
}

void LoadStoreUnit::countMoved(const mem::Origin& origin, const DataMoved& moved) {
  mem::SmUse& use = origins_->moved.of(origin);
  use.coalescedAccesses += moved.accesses;
  use.coalescedLanes += moved.lanes;
  use.cacheWords += moved.cacheWords;
  use.sharedWords += moved.sharedWords;
  use.bankReads += moved.bankReads;
  use.bankWrites += moved.bankWrites;
}

void LoadStoreUnit::respond(u32 id, Cycle now) {
  MemoryOperation& operation = operations_[id];
  --operation.outstanding;
  linesWritten_ -= operation.isStore;
  finishIfDone(id, now);
}

void LoadStoreUnit::finishIfDone(u32 entry, Cycle now) {
  MemoryOperation& operation = operations_[entry];
  // A lane stage may have answered while the operation still waits for its turn, the banks or room for its requests.
  if (operation.isQueued || operation.outstanding != 0) return;
  // Data are written in the cycle behind the one in which the last lines come; further passes come behind that.
  const Cycle lines = operation.cacheDelay == 0 ? now : now + 1 + operation.cacheDelay;
  listener_.memoryDone(operation, std::max({lines, operation.sharedDone, operation.ready}));
  --operationsInFlight_;
  free_.push_back(entry);
}

Cycle LoadStoreUnit::nextUseful(Cycle now) const {
  if (queue_.empty()) return kNever;
  const MemoryOperation& operation = operations_[queue_.front()];
  const bool wantsShared = operation.sharedPasses != 0 && operation.sharedDone == Cycle{};
  const Cycle next = std::max(now, operation.enters);
  if (wantsShared && operation.isRemote) return std::max(next, remoteFree_);
  const bool wantsBanks = wantsShared || (operation.cachePasses != 0 && !operation.hasBanks);
  return wantsBanks ? std::max(next, banksFree_) : next;
}

}  // namespace warpwright::sm
