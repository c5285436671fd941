// How instructions of fixed latency read their operands in a sub-core without collectors: in a window of some cycles, by the ports of a few
// register banks (Huerta, Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025, section
// 5.3).
//
// Behind the issue stage lie Control and Allocate, one instruction each. One of fixed latency leaves Allocate when its reads find ports in
// the cycles of the window behind it; until then everything before it stands still. Others leave Control for queues of their own.
#pragma once

#include <array>
#include <vector>

#include "config/machine.hpp"
#include "sm/calendar.hpp"
#include "sm/instruction_info.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

class OperandReads {
 public:
  explicit OperandReads(const config::Machine& machine);

  // Warps whose sub-core takes no instruction in this cycle.
  WarpSet refused(Cycle now) const;
  // When that changes next, from `now` on.
  Cycle nextUseful(Cycle now) const;

  // The reads of an instruction of fixed latency that issues.
  struct Reads {
    u32 held = 0;    // cycles that it waits for ports
    u32 cached = 0;  // registers that need no port
  };
  Reads issue(const InstructionInfo& info, SlotId slot, Cycle now);

  u64 heldCycles() const { return heldCycles_; }
  u64 cachedReads() const { return cachedReads_; }

 private:
  // Three source operands, as section 5.3.1 has them.
  static constexpr u32 kPlaces = 3;
  struct Kept {
    SlotId slot = kNoWarp;  // kNoWarp: nothing
    u8 number = 0;
  };
  struct SubCore {
    explicit SubCore(u32 banks, u32 ports) : calendar(banks * ports), kept(banks) {}
    Calendar calendar;  // bank b has the resources b, b + banks …
    std::vector<std::array<Kept, kPlaces>> kept;
    Cycle allocateFree{};  // when Allocate takes the next instruction
    Cycle open{};          // when the next may issue
    WarpSet slots;
  };

  bool isKept(SubCore& core, const InstructionInfo& info, u32 read, SlotId slot);
  bool hasPorts(const SubCore& core, Cycle first) const;
  void book(SubCore& core, Cycle first, Cycle now);

  const u32 banks_, window_;
  const bool cache_;
  u64 portsOfBank_ = 0;      // of bank 0
  std::vector<u32> wanted_;  // reads of the instruction at hand, by bank
  std::vector<SubCore> cores_;
  u64 heldCycles_ = 0, cachedReads_ = 0;
};

}  // namespace warpwright::sm
