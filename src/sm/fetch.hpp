// Instruction fetch: keeps the warps' instruction buffers filled from the instruction cache, a few fetches a cycle, the warps in turn.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "config/sm.hpp"
#include "mem/traffic.hpp"
#include "sm/events.hpp"
#include "sm/memory_ports.hpp"
#include "sm/pipeline_listener.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

class FetchUnit {
 public:
  static constexpr u32 kSlots = 64;

  // Raises Event::Kind::fetched, with the number for arrived(), when what was fetched has been decoded. listener: null, or who is told of
  // fetches.
  FetchUnit(const config::Sm& sm, MemoryPorts& ports, Events& events, PipelineListener* listener = nullptr)
      : sm_(sm), pcShift_(static_cast<u32>(std::countr_zero(sm.instructionBytes))), ports_(ports), events_(events), listener_(listener) {}

  // The warp begins at `address`, that of the instruction `origin`, with an empty buffer.
  void start(SlotId slot, GlobalAddress address, const mem::Origin& origin = {});
  void stop(SlotId slot);
  // The warp takes one instruction from its buffer and goes on behind it, or at `address` when it jumps: what is buffered is dropped.
  void consume(SlotId slot);
  void redirect(SlotId slot, GlobalAddress address);

  // Warps with an instruction in their buffer.
  WarpSet available() const { return available_; }
  bool tick(Cycle now);
  bool wantsToFetch() const { return !wanting_.empty(); }
  // The answer to a fetch: it is to be decoded.
  void answered(u32 id, Cycle now) { events_.add(now + std::max(1u, sm_.decodeLatency), {Event::Kind::fetched, false, {}, nullptr, id}); }
  void arrived(u32 id, Cycle now);
  u64 fetches() const { return fetches_; }

  // From now on fetches are counted by who asked, too.
  void countByOrigin() { origins_.emplace(); }
  // Null when they are not.
  mem::OriginTable<mem::SmUse>* origins() { return origins_ ? &*origins_ : nullptr; }
  const mem::OriginTable<mem::SmUse>* origins() const { return origins_ ? &*origins_ : nullptr; }

 private:
  struct alignas(64) Stream {
    GlobalAddress next;  // address of the next fetch
    u32 position = 0;    // of its first instruction in its aligned piece
    u32 buffered = 0;    // instructions
    u32 inFlight = 0;    // instructions on their way
    u32 generation = 0;  // fetches of earlier generations are dropped
    Cycle asked{};       // when the fetch in flight began
    GlobalAddress code;  // address of the instruction with pc 0
    mem::Origin origin;  // the first instruction of the next fetch
  };
  static constexpr u32 kGenerationShift = 6, kCountShift = 22;
  void fetchNext(Cycle now);
  void update(SlotId slot);

  const config::Sm& sm_;
  const u32 pcShift_;
  MemoryPorts& ports_;
  Events& events_;
  PipelineListener* const listener_;
  std::array<Stream, kSlots> streams_{};
  WarpSet running_, available_, wanting_;
  u32 next_ = 0;
  u64 fetches_ = 0;
  std::optional<mem::OriginTable<mem::SmUse>> origins_;  // nothing: nobody asks
};

}  // namespace warpwright::sm
