#include "profile/collector.hpp"

#include <algorithm>
#include <bit>

#include "base/lane_count.hpp"
#include "base/memory_units.hpp"
#include "profile/address_multiplicity.hpp"

namespace warpwright::profile {
namespace {

u64 lanesOf(const exec::MemoryEvent& event) { return countLanes(event.mask); }

// What all kinds of traffic count alike.
template <class T>
void addRequest(T& traffic, const exec::MemoryEvent& event) {
  const u64 lanes = lanesOf(event);
  ++traffic.requests;
  traffic.lanes += lanes;
  traffic.bytesAsked += lanes * event.bytesPerLane;
}

void addAtomic(AtomicTraffic& traffic, const exec::MemoryEvent& event) {
  const u32 most = mostLanesAtOneAddress(event.addresses, event.mask);
  ++traffic.requests;
  traffic.lanes += lanesOf(event);
  traffic.steps += most;
  traffic.degree.add(most);
}

}  // namespace

void InstructionEvents::merge(const InstructionEvents& other) {
  // Without an event it is a load, the least of them; with one it is the same everywhere.
  kind = std::max(kind, other.kind);
  sharedKind = std::max(sharedKind, other.sharedKind);
  stats::merge(global, other.global);
  stats::merge(local, other.local);
  stats::merge(shared, other.shared);
  stats::merge(atomics, other.atomics);
  stats::merge(constant, other.constant);
  stats::merge(parameters, other.parameters);
  stats::merge(textures, other.textures);
  stats::merge(surfaces, other.surfaces);
  stats::merge(control, other.control);
  strides.merge(other.strides);
  touched.merge(other.touched);
}

Collector::Collector(Geometry geometry, const exec::GlobalMemory* contentsOf) : geometry_(geometry), banks_(geometry) {
  if (contentsOf) contents_.emplace(*contentsOf);
}

void Collector::begin(std::size_t instructions, access::SharedMaps sharedMaps) {
  sharedMaps_ = std::move(sharedMaps);
  slots_.assign(instructions, 0);
  events_.clear();
  TouchedSectors ignored;
  footprint_.take(ignored);
  if (contents_) contents_->clear();
}

InstructionEvents& Collector::at(Pc pc) {
  if (pc >= slots_.size()) slots_.resize(pc + 1, 0);
  u32& slot = slots_[pc];
  if (slot == 0) {
    events_.emplace_back();
    slot = static_cast<u32>(events_.size());
  }
  return events_[slot - 1];
}

const InstructionEvents* Collector::find(Pc pc) const { return pc < slots_.size() && slots_[pc] != 0 ? &events_[slots_[pc] - 1] : nullptr; }

void Collector::merge(const Collector& other) {
  for (Pc pc{0}; pc < other.slots_.size(); ++pc) {
    if (const InstructionEvents* events = other.find(pc)) at(pc).merge(*events);
  }
  footprint_.merge(other.footprint_);
  if (contents_) contents_->merge(*other.contents_);
}

void Collector::memory(const exec::MemoryEvent& event) {
  // Nothing to analyse; an access wider than PTX has shows as a violated conservation law.
  if (event.mask.empty() || event.bytesPerLane == 0 || event.bytesPerLane > access::kMaxLaneBytes) return;
  InstructionEvents& events = at(event.pc);
  AccessKind& kind = event.space == isa::Space::shared ? events.sharedKind : events.kind;
  kind = event.isAtomic ? AccessKind::atomic : event.isStore ? AccessKind::store : AccessKind::load;
  if (event.isAtomic) addAtomic(events.atomics, event);
  switch (event.space) {
    case isa::Space::generic:
    case isa::Space::global:
      return global(events, event);
    case isa::Space::shared:
      return shared(events, event);
    case isa::Space::local:
      coalescer_.local(event.addresses, event.mask, event.bytesPerLane, geometry_.warpSize);
      return addTraffic(events.local, event);
    case isa::Space::constant:
      return addRequest(events.constant, event);
    case isa::Space::param:
      return addRequest(events.parameters, event);
  }
}

void Collector::global(InstructionEvents& events, const exec::MemoryEvent& event) {
  coalescer_.global(event.addresses, event.mask, event.bytesPerLane);
  addTraffic(events.global, event);
  if (event.mask.withoutLeast()) events.strides.global.add(coalescer_.stride());
  footprint_.touch(coalescer_.sectors(), event.isLoad, event.isStore);
  events.touched.touch(coalescer_.sectors());
  if (contents_) contents_->touch(coalescer_.sectors(), event.isLoad, event.isStore);
}

void Collector::addTraffic(Traffic& traffic, const exec::MemoryEvent& event) const {
  addRequest(traffic, event);
  traffic.bytesUsed += coalescer_.bytesUsed();
  traffic.sectors += coalescer_.sectors().size();
  traffic.idealSectors += coalescer_.idealSectors();
  traffic.lines += coalescer_.lines();
}

void Collector::shared(InstructionEvents& events, const exec::MemoryEvent& event) {
  const parallel_memory::BankTable* const table = sharedMaps_.at(event.pc);
  if (event.isLoad && !event.isAtomic) {
    banks_.load(event.addresses, event.mask, event.bytesPerLane, event.spread, table);
  } else {
    banks_.access(event.addresses, event.mask, event.bytesPerLane, event.spread, table);
  }
  addRequest(events.shared, event);
  events.shared.phases += banks_.phases();
  events.shared.passes += banks_.passes();
  events.shared.words += banks_.words();
  for (u32 phase = 0; phase < banks_.phases(); ++phase) events.shared.degree.add(banks_.degree(phase));
  if (banks_.passes() > banks_.phases()) events.strides.shared.add(access::strideOf(event.addresses, event.mask));
}

void Collector::texels(const exec::TexelEvent& event) {
  InstructionEvents& events = at(event.pc);
  TexelTraffic& traffic = event.instruction->opcode == isa::Opcode::tex ? events.textures : events.surfaces;
  ++traffic.requests;
  traffic.lanes += u64{event.mask.size()};
  traffic.texels += event.count;
  traffic.bytesAsked += u64{event.count} * event.bytes;
  // A texel is 16 bytes at most and aligned to its size: it lies in one sector.
  std::vector<u64>& sectors = texelSectors_;
  sectors.clear();
  for (u32 i = 0; i < event.count; ++i) sectors.push_back(event.addresses[i] / kSectorBytes);
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  traffic.sectors += sectors.size();
  constexpr u64 kSectorsPerLine = access::kLineBytes / kSectorBytes;
  for (std::size_t i = 0; i < sectors.size(); ++i)
    traffic.lines += i == 0 || sectors[i] / kSectorsPerLine != sectors[i - 1] / kSectorsPerLine;
  if (contents_) contents_->touch(sectors, !event.isStore, event.isStore);
}

void Collector::branch(const exec::BranchEvent& event) {
  BranchCounts& control = at(event.pc).control;
  ++control.branches;
  control.divergent += event.targets > 1;
}

}  // namespace warpwright::profile
