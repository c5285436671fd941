// Instruction fetch: keeps the warps' instruction buffers filled from the instruction caches, a few fetches a cycle.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "config/machine.hpp"
#include "mem/traffic.hpp"
#include "sm/events.hpp"
#include "sm/l0_instructions.hpp"
#include "sm/memory_ports.hpp"
#include "sm/pipeline_listener.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

class FetchUnit {
 public:
  static constexpr u32 kSlots = 64;

  // Raises Event::Kind::fetched, with the number for arrived(), when what was fetched has been decoded, and Event::Kind::lineFetched, with
  // that for answered(). listener: null, or who is told of fetches.
  FetchUnit(const config::Machine& machine, MemoryPorts& ports, Events& events, PipelineListener* listener = nullptr);

  // The warp begins at `address`, that of the instruction `origin`, with an empty buffer.
  void start(SlotId slot, GlobalAddress address, const mem::Origin& origin = {});
  void stop(SlotId slot);
  // The warp takes one instruction from its buffer and goes on behind it, or at `address` when it jumps: what is buffered is dropped.
  void consume(SlotId slot) {
    --streams_[slot].buffered;
    if (isGreedy_) last_[slot % cores_] = slot;
    update(slot);
  }
  void redirect(SlotId slot, GlobalAddress address);

  // Warps with an instruction in their buffer.
  WarpSet available() const { return available_; }
  bool tick(Cycle now) { return (wantsToFetch() || hasL0_) && work(now); }
  bool wantsToFetch() const { return !wanting_.empty(); }
  // The earliest time from `now` on at which a tick may do something; kNever: nothing does until the ports have changed.
  Cycle nextUseful(Cycle now) const {
    if (wantsToFetch() && !asksPorts()) return now;
    if (!ports_.canFetch(now)) return kNever;
    return wantsToFetch() ? now : std::max(now, mayAskForLine());
  }
  // No line is under way to the cache of a sub-core, or has yet to be asked for.
  bool quiescent() const { return lines_.size() == freeLines_.size() && mayAskForLine() == kNever; }
  // The answer to what was asked of the instruction cache: it is to be decoded, or is a line for that of a sub-core.
  void answered(u32 id, Cycle now);
  void arrived(u32 id, Cycle now);
  u64 fetches() const { return fetches_; }
  // Fetches that the caches of the sub-cores did not have.
  u64 l0Misses() const;

  // From now on fetches are counted by who asked, too.
  void countByOrigin() { origins_.emplace(); }
  // Null when they are not.
  mem::OriginTable<mem::SmUse>* origins() { return origins_ ? &*origins_ : nullptr; }
  const mem::OriginTable<mem::SmUse>* origins() const { return origins_ ? &*origins_ : nullptr; }

 private:
  static constexpr u32 kMostOnTheWay = 4;  // fetches of a warp
  struct OnTheWay {
    u32 count = 0;  // instructions
    bool isHere = false;
    Cycle asked{};  // when it began
  };
  struct alignas(64) Stream {
    GlobalAddress next;           // address of the next fetch
    u32 position = 0;             // of its first instruction in its aligned piece
    u32 buffered = 0;             // instructions
    u32 inFlight = 0;             // instructions on their way
    u32 generation = 0;           // fetches of earlier generations are dropped
    GlobalAddress code;           // address of the instruction with pc 0
    mem::Origin origin;           // the first instruction of the next fetch
    u32 oldest = 0, fetches = 0;  // fetches on their way, in a ring
    std::array<OnTheWay, kMostOnTheWay> ring{};
  };
  // The number of a fetch: slot, generation, place in the ring, instructions; that of a line: kLine and its index in lines_.
  static constexpr u32 kGenerationShift = 6, kGenerations = 1u << 13, kPlaceShift = 19, kCountShift = 22, kLine = 1u << 27;
  struct AskedLine {
    u32 core = 0;
    L0Instructions::Wanted wanted;
  };

  bool asksPorts() const { return !hasL0_ || sm_.perfectFetch; }
  Cycle mayAskForLine() const;
  bool work(Cycle now);
  SlotId nextOf(u32 core) const;
  void fetchNext(SlotId slot, Cycle now);
  void ask(SlotId slot, u32 id, Cycle now);
  bool askForLines(Cycle now);
  void lineArrived(u32 index, Cycle now);
  void update(SlotId slot) {
    const Stream& stream = streams_[slot];
    const bool runs = running_.contains(slot);
    available_.set(slot, runs && stream.buffered != 0);
    // In turn, one fetch at a time for a warp; either way only with room for what it may bring.
    const bool mayBegin = stream.fetches < mostFetches_;
    wanting_.set(slot, runs && mayBegin && stream.buffered + stream.inFlight < room_);
  }

  const config::Sm& sm_;
  const u32 pcShift_, cores_;
  const u32 width_, room_;  // instructions of a fetch, and of a buffer
  const bool isGreedy_, hasL0_;
  const u32 mostFetches_;  // of a warp at a time
  MemoryPorts& ports_;
  Events& events_;
  PipelineListener* const listener_;
  std::array<Stream, kSlots> streams_{};
  WarpSet running_, available_, wanting_;
  u32 next_ = 0;
  u64 fetches_ = 0;
  // greedy_then_youngest: who issued last in each sub-core, and the order in which the warps began.
  std::vector<SlotId> last_;
  std::array<u64, kSlots> age_{};
  u64 nextAge_ = 0;
  std::vector<L0Instructions> l0_;  // by sub-core; empty: there are none
  std::vector<AskedLine> lines_;    // on their way to them
  std::vector<u32> freeLines_;
  std::optional<mem::OriginTable<mem::SmUse>> origins_;  // nothing: nobody asks
};

}  // namespace warpwright::sm
