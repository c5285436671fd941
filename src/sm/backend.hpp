// The SM's back end for a scoreboarded pipeline: operand collectors, register banks, pipes and write-back ports. All of an instruction's
// way is booked when it issues (calendar.hpp): collect operands → dispatch into a pipe → execute → write back.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/ring_queue.hpp"
#include "config/sm.hpp"
#include "sm/calendar.hpp"
#include "sm/instruction_info.hpp"
#include "stats/enum_vector.hpp"
#include "stats/statistics.hpp"

namespace warpwright::sm {

// What executes an instruction; integer stands for fp32 where the machine has no integer pipes of their own.
enum class Pipe : u8 { integer, fp32, fp64, sfu, loadStore, tensor };
inline constexpr std::size_t kPipes = 6;
std::string_view name(Pipe pipe);
// As the machine has them.
const config::Pipes& pipesOf(const config::Sm& sm, Pipe pipe);
using PipeCycles = stats::EnumVector<Pipe, kPipes>;

struct BackendStats {
  u64 operandReads = 0, cachedReads = 0, readConflicts = 0, operandWrites = 0, writeConflicts = 0, writeBackConflicts = 0;
  PipeCycles pipeCycles, dispatchWaits;
  static constexpr void fields(auto&& field) {
    using B = BackendStats;
    field("operand_reads", "registers", "warp-wide registers read from the register banks", &B::operandReads);
    field("cached_reads", "registers", "warp-wide registers read from beside the banks (sm.pipeline.operand_cache)", &B::cachedReads);
    field("read_conflicts", "cycles", "cycles that operand reads waited for their bank", &B::readConflicts);
    field("operand_writes", "registers", "warp-wide registers written to the register banks", &B::operandWrites);
    field("write_conflicts", "cycles", "cycles that results waited for their bank", &B::writeConflicts);
    field("write_back_conflicts", "cycles", "cycles that results waited for a write-back port", &B::writeBackConflicts);
    field("pipe_cycles", "cycles", "for which instructions occupied the entrance of a pipe, by its kind", &B::pipeCycles);
    field("dispatch_waits", "cycles", "cycles that instructions with all operands waited for their pipe, by its kind", &B::dispatchWaits);
  }
};

class Backend {
 public:
  Backend(const config::Sm& sm);

  // Whether an instruction that issues now finds an operand collector (or, without collectors, a free pipe).
  bool canIssue(isa::Unit unit, Cycle now) const;
  // The earliest time from `now` on at which canIssue() may become true; kNever: nothing is booked.
  Cycle nextFree(Cycle now) const;

  // Books collection and dispatch of an instruction of the warp in `slot`; gives the cycle in which it enters its pipe. held: cycles that
  // it has to wait for before.
  Cycle dispatch(const InstructionInfo& info, SlotId slot, Cycle now, u32 held = 0);
  // Books write-back of a result that is there at `time`, not before `now`; gives the cycle from which other instructions may use it. One
  // of fixed latency waits for its port in a queue that others can read (Huerta and others, section 5.3).
  Cycle writeBack(const InstructionInfo& info, SlotId slot, Cycle time, Cycle now);

  const BackendStats& stats() const { return stats_; }

 private:
  struct PipeSet {
    Pipe pipe{};
    std::vector<Cycle> free;  // when each pipe's entrance is free, the earliest first
    Cycle earliest() const { return free.front(); }
    // The pipe that is free first is taken until then.
    void take(Cycle until) {
      std::size_t place = 0;
      for (; place + 1 < free.size() && free[place + 1] < until; ++place) free[place] = free[place + 1];
      free[place] = until;
    }
  };
  PipeSet& pipesOf(isa::Unit unit) { return pipes_[pipeSetOf_[static_cast<std::size_t>(unit)]]; }
  const PipeSet& pipesOf(isa::Unit unit) const { return pipes_[pipeSetOf_[static_cast<std::size_t>(unit)]]; }
  // Books a port of the bank in which a register of the warp in `slot` lies.
  Cycle bookBank(u32 number, SlotId slot, Cycle earliest, Cycle now) {
    const u32 bank = (number + slot) & (bankCount_ - 1);  // their number is a power of two
    return bankPorts_.bookOneOf(portsOfBank_ << bank, earliest, now);
  }
  bool hasCollectors() const { return collectors_.capacity() != 0; }
  void holdCollector(Cycle until);

  std::array<u8, kUnits> pipeSetOf_{};
  RingQueue<Cycle> collectors_;  // when each is free, the earliest first
  u32 bankCount_;
  u64 portsOfBank_;  // of bank 0: bit p x banks is its port p
  Calendar bankPorts_, writeBackPorts_;
  std::array<PipeSet, kPipes> pipes_;
  BackendStats stats_;
};

}  // namespace warpwright::sm
