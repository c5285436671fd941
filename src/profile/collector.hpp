// The observer of a launch: what each static instruction did to memory and control flow.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "access/access_pattern.hpp"
#include "access/bank_conflicts.hpp"
#include "access/coalescer.hpp"
#include "exec/observer.hpp"
#include "profile/counters.hpp"
#include "profile/data/line_contents.hpp"
#include "profile/footprint.hpp"
#include "profile/profile.hpp"

namespace warpwright::profile {

// Strides between lanes, in global and in shared memory.
struct Strides {
  access::DominantStride global, shared;
  void merge(const Strides& other) {
    global.merge(other.global);
    shared.merge(other.shared);
  }
};

// Events of one static instruction.
struct InstructionEvents {
  // An asynchronous copy loads from global memory and stores to shared memory.
  AccessKind kind = AccessKind::load, sharedKind = AccessKind::load;
  Traffic global, local;
  BankTraffic shared;
  AtomicTraffic atomics;
  PlainTraffic constant, parameters;
  TexelTraffic textures, surfaces;
  BranchCounts control;
  Strides strides;
  SectorMap touched;  // global memory

  void merge(const InstructionEvents& other);
};

class Collector final : public exec::Observer {
 public:
  // contentsOf: what the lines hold there is kept, too; null: it is not looked at.
  explicit Collector(Geometry geometry, const exec::GlobalMemory* contentsOf = nullptr);

  // Forgets the events and the footprint of a launch that was never folded into a kernel.
  void begin(std::size_t instructions, access::SharedMaps sharedMaps = {});

  bool wantsIssue() const override { return false; }
  void memory(const exec::MemoryEvent& event) override;
  void branch(const exec::BranchEvent& event) override;
  void texels(const exec::TexelEvent& event) override;

  // Adds the events of another collector of the same launch.
  void merge(const Collector& other);

  // Null when the instruction raised no event.
  const InstructionEvents* find(Pc pc) const;
  const LineContents* contents() const { return contents_ ? &*contents_ : nullptr; }  // null: not looked at
  FootprintCounters takeFootprint(TouchedSectors& all) { return footprint_.take(all); }

 private:
  InstructionEvents& at(Pc pc);
  void global(InstructionEvents& events, const exec::MemoryEvent& event);
  void shared(InstructionEvents& events, const exec::MemoryEvent& event);
  void addTraffic(Traffic& traffic, const exec::MemoryEvent& event) const;

  Geometry geometry_;
  access::Coalescer coalescer_;
  access::BankConflicts banks_;
  access::SharedMaps sharedMaps_;
  Footprint footprint_;
  std::optional<LineContents> contents_;
  std::vector<u64> texelSectors_;  // of the event at hand
  std::vector<u32> slots_;         // by pc: 1 + index into events_; 0: none yet
  std::deque<InstructionEvents> events_;
};

}  // namespace warpwright::profile
