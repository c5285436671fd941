#include "exec/memory.hpp"

#include <algorithm>
#include <deque>

#include "base/error.hpp"
#include "exec/initialisation_map.hpp"
#include "exec/reservation.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

constexpr u64 kRedZone = 256;                  // bytes between two allocations that belong to none, at least
constexpr std::size_t kRemembered = 256;       // freed allocations kept for messages
constexpr u64 kReturnToSystem = u64{1} << 20;  // freed ranges of this size give their pages back

GlobalAddress roundUp(GlobalAddress address, u64 multiple) { return GlobalAddress((address + (multiple - 1)) / multiple * multiple); }

u64 distance(const Allocation& allocation, GlobalAddress address) {
  if (address < allocation.address) return allocation.address - address;
  return address >= allocation.end() ? address - allocation.end() + 1 : 0;
}

}  // namespace

struct GlobalMemory::Heap {
  Reservation region;
  InitialisationMap written;                 // by offset in the region; only on request
  std::map<GlobalAddress, Allocation> live;  // by address
  std::deque<Allocation> freed;              // most recent last
  GlobalAddress cursor;                      // next fit: memory is reused as late as possible, so that stale pointers are noticed
  u64 counter = 0;                           // numbers the allocations without a label

  GlobalAddress base() const { return GlobalAddress(region.address()); }
  u64 offsetOf(GlobalAddress address) const { return address - base(); }
  bool inRegion(GlobalAddress address) const { return offsetOf(address) < region.bytes(); }
  const Allocation* holder(GlobalAddress address) const;
  std::optional<GlobalAddress> fit(u64 bytes, u64 alignment, GlobalAddress from, GlobalAddress to, bool wide) const;
  std::optional<GlobalAddress> place(u64 bytes, u64 alignment, bool wide) const;
  void remember(Allocation allocation);
  void forgetFreedIn(GlobalAddress address, u64 bytes);
};

const Allocation* GlobalMemory::Heap::holder(GlobalAddress address) const {
  auto next = live.upper_bound(address);
  if (next == live.begin()) return nullptr;
  return &std::prev(next)->second;
}

// The first address in [from, to) with room for the bytes and a red zone on either side.
std::optional<GlobalAddress> GlobalMemory::Heap::fit(u64 bytes, u64 alignment, GlobalAddress from, GlobalAddress to, bool wide) const {
  const auto gap = [&](const Allocation& neighbour) { return wide ? std::max({kRedZone, bytes, neighbour.size}) : kRedZone; };
  const u64 last = wide ? std::max(kRedZone, bytes) : kRedZone;  // to the end of the region
  GlobalAddress candidate = roundUp(from, alignment);
  auto next = live.lower_bound(from);
  if (next != live.begin()) {
    const Allocation& before = std::prev(next)->second;
    candidate = std::max(candidate, roundUp(before.end() + gap(before), alignment));
  }
  for (; candidate <= to && bytes + last <= to - candidate; ++next) {
    if (next == live.end() || candidate + bytes + gap(next->second) <= next->first) return candidate;
    candidate = std::max(candidate, roundUp(next->second.end() + gap(next->second), alignment));
  }
  return std::nullopt;
}

std::optional<GlobalAddress> GlobalMemory::Heap::place(u64 bytes, u64 alignment, bool wide) const {
  const GlobalAddress begin = base() + kRedZone, end = base() + region.bytes();
  const std::optional<GlobalAddress> address = fit(bytes, alignment, cursor, end, wide);
  return address ? address : fit(bytes, alignment, begin, end, wide);
}

void GlobalMemory::Heap::remember(Allocation allocation) {
  allocation.freed = true;
  freed.push_back(std::move(allocation));
  if (freed.size() > kRemembered) freed.pop_front();
}

void GlobalMemory::Heap::forgetFreedIn(GlobalAddress address, u64 bytes) {
  std::erase_if(freed, [&](const Allocation& old) { return old.address < address + bytes && address < old.end(); });
}

GlobalMemory::GlobalMemory(const Options& options) : options_(options), heap_(std::make_unique<Heap>()) {
  heap_->region = reserveDeviceRegion(options.addressBits, options.capacity, options.wideGaps);
  options_.capacity = std::min(options_.capacity, heap_->region.bytes());
  heap_->cursor = heap_->base() + kRedZone;
  if (options_.trackInitialisation) heap_->written = InitialisationMap(heap_->region.bytes());
}

GlobalMemory::~GlobalMemory() = default;

std::optional<GlobalAddress> GlobalMemory::allocate(u64 bytes, AllocationKind kind, std::string label, u64 alignment) {
  bytes = std::max<u64>(bytes, 1);
  alignment = std::max<u64>(alignment, 256);
  if (bytes > options_.capacity || used_ > options_.capacity - bytes) return std::nullopt;
  std::optional<GlobalAddress> address;
  if (options_.wideGaps) address = heap_->place(bytes, alignment, true);
  if (!address) address = heap_->place(bytes, alignment, false);
  if (!address) return std::nullopt;

  ++heap_->counter;
  if (label.empty()) label = "allocation #" + std::to_string(heap_->counter);
  heap_->forgetFreedIn(*address, bytes);
  heap_->live.emplace(*address, Allocation{*address, bytes, kind, std::move(label), false});
  heap_->cursor = *address + bytes + kRedZone;
  if (options_.trackInitialisation) heap_->written.forget(heap_->offsetOf(*address), bytes);
  used_ += bytes;
  if (kind == AllocationKind::heap) heapUsed_ += bytes;
  ++generation_;
  return address;
}

bool GlobalMemory::free(GlobalAddress address) {
  const auto entry = heap_->live.find(address);
  if (entry == heap_->live.end() || entry->second.kind == AllocationKind::host) return false;
  Allocation allocation = std::move(entry->second);
  heap_->live.erase(entry);
  used_ -= allocation.size;
  if (allocation.kind == AllocationKind::heap) heapUsed_ -= allocation.size;
  ++generation_;
  if (allocation.size >= kReturnToSystem) heap_->region.discard(allocation.address, allocation.size);
  heap_->remember(std::move(allocation));
  return true;
}

bool GlobalMemory::registerHost(void* pointer, u64 bytes, std::string label) {
  const GlobalAddress address = addressOf(pointer);
  if (bytes == 0 || address + bytes < address) return false;
  const auto next = heap_->live.lower_bound(address);
  if (next != heap_->live.end() && next->first < address + bytes) return false;
  if (next != heap_->live.begin() && std::prev(next)->second.end() > address) return false;
  if (label.empty()) label = "host memory";
  heap_->forgetFreedIn(address, bytes);
  heap_->live.emplace(address, Allocation{address, bytes, AllocationKind::host, std::move(label), false});
  ++generation_;
  return true;
}

bool GlobalMemory::unregisterHost(void* pointer) {
  const auto entry = heap_->live.find(addressOf(pointer));
  if (entry == heap_->live.end() || entry->second.kind != AllocationKind::host) return false;
  heap_->remember(std::move(entry->second));
  heap_->live.erase(entry);
  ++generation_;
  return true;
}

const Allocation* GlobalMemory::find(GlobalAddress address, u64 bytes) const {
  const Allocation* allocation = heap_->holder(address);
  return allocation && allocation->contains(address, bytes) ? allocation : nullptr;
}

const Allocation* GlobalMemory::nearest(GlobalAddress address) const {
  const Allocation* best = nullptr;
  const auto consider = [&](const Allocation& allocation) {
    if (!best || distance(allocation, address) < distance(*best, address)) best = &allocation;
  };
  const auto next = heap_->live.upper_bound(address);
  if (next != heap_->live.begin()) consider(std::prev(next)->second);
  if (next != heap_->live.end()) consider(next->second);
  for (auto old = heap_->freed.rbegin(); old != heap_->freed.rend(); ++old) consider(*old);
  return best;
}

std::vector<Allocation> GlobalMemory::live() const {
  std::vector<Allocation> all;
  all.reserve(heap_->live.size());
  for (const auto& [address, allocation] : heap_->live) all.push_back(allocation);
  return all;
}

GlobalMemory::State GlobalMemory::state() const { return {live(), heap_->base(), heap_->cursor, heap_->counter, programs_}; }

void GlobalMemory::restore(const State& state) {
  if (state.base != heap_->base())
    throw Error("the device's memory lies elsewhere than in the run that was recorded", {},
                "replay it on a machine with as much memory (chip.global_memory_bytes), and where the address is free");
  heap_->live.clear();
  heap_->freed.clear();
  used_ = heapUsed_ = 0;
  for (const Allocation& each : state.live) {
    heap_->live.emplace(each.address, each);
    if (each.kind != AllocationKind::host) used_ += each.size;
    if (each.kind == AllocationKind::heap) heapUsed_ += each.size;
  }
  heap_->cursor = state.cursor;
  heap_->counter = state.allocated;
  programs_ = state.programs;
  ++generation_;
}

void GlobalMemory::reset() {
  heap_->live.clear();
  heap_->freed.clear();
  heap_->counter = 0;
  heap_->cursor = heap_->base() + kRedZone;
  heap_->region.discard(heap_->region.address(), heap_->region.bytes());
  used_ = heapUsed_ = 0;
  ++generation_;
}

bool GlobalMemory::holds(GlobalAddress address, u64 bytes) const {
  return heap_->inRegion(address) && bytes <= heap_->region.bytes() - heap_->offsetOf(address);
}

const GlobalMemory* GlobalMemory::otherWith(GlobalAddress address) const {
  const auto found = std::ranges::find_if(others_, [&](const GlobalMemory* other) { return other->holds(address, 1); });
  return found == others_.end() ? nullptr : *found;
}

void GlobalMemory::markInitialised(GlobalAddress address, u64 bytes) {
  if (options_.trackInitialisation && heap_->inRegion(address)) heap_->written.mark(heap_->offsetOf(address), bytes);
}

// Registered host memory counts as initialised.
bool GlobalMemory::isInitialised(GlobalAddress address, u64 bytes) const {
  if (!options_.trackInitialisation || !heap_->inRegion(address)) return true;
  return heap_->written.allWritten(heap_->offsetOf(address), bytes);
}

bool GlobalMemory::wasWritten(GlobalAddress address, u64 bytes) const {
  if (!options_.trackInitialisation || !heap_->inRegion(address)) return true;
  return heap_->written.anyWritten(heap_->offsetOf(address), bytes);
}

}  // namespace warpwright::exec
