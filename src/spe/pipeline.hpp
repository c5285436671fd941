// When instructions are issued: in order, one or two a cycle.
//
// Instructions come in fetch groups of two that begin at multiples of eight bytes. Both are issued together where the first is for the even
// pipe, the second for the odd one, and neither has to wait; else the second comes by itself (programming tutorial, "Pipelines and
// dual-issue rules"). The local store has one port: transfers go before loads and stores, and these before instruction fetches.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "spe/instruction.hpp"
#include "spe/machine.hpp"
#include "spe/statistics.hpp"
#include "spe/values.hpp"

namespace warpwright::spe {

// An instruction is issued.
struct Issue {
  const Instruction& instruction;
  u32 address = 0;
  u64 cycle = 0, resultCycle = 0;
  u64 lost = 0;  // cycles before it in which nothing was issued
  Stall cause = Stall::result;
};

// What a pipeline does, cycle by cycle.
class PipelineListener {
 public:
  virtual ~PipelineListener() = default;
  virtual void issued(const Issue& issue) = 0;
};

class Pipeline {
 public:
  Pipeline(const Machine& machine, Values& values) : machine_(machine), values_(values) {}

  // The code that follows is that of this label: where a branch that was hinted went to.
  void enter(NameId label);
  // The next instruction of the program, which lies at this byte address. Parts: bytes of the transfers that it commands.
  void issue(const Instruction& instruction, u32 address, std::span<const u32> parts = {});
  void listen(PipelineListener* listener) { listeners_.push_back(listener); }
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Time {
    u64 cycle = 0;
    Stall cause = Stall::result;
    void atLeast(u64 other, Stall why);
  };
  struct Fetch {
    u32 line = 0;
    std::optional<u64> ready;  // empty: the port was not free yet
    u64 requested = 0;
  };
  struct Store {
    Touched touched;
    u64 done = 0;
  };

  struct Transfer {
    u32 tags = 0;
    u64 done = 0;
  };
  // What the buffer for a branch's target holds.
  struct Hint {
    NameId branch = kNoName, target = kNoName;
    u64 ready = 0;  // from when on the branch costs nothing
  };

  void noteAccess(Port port) { ++statistics_.byPort[static_cast<std::size_t>(port)]; }
  u32 latencyOf(const Instruction& instruction) const;
  void waitForTransfers(const Instruction& instruction, Time& time);
  void beginTransfers(const Instruction& instruction, std::span<const u32> parts, u64 cycle);
  // The next cycle from this one on that transfers have not taken yet.
  void takePort(u64 cycle);
  void waitForOperands(const Instruction& instruction, Time& time) const;
  void waitForLocalStore(const Instruction& instruction, Time& time);
  // From when on the instruction at the address can be issued.
  u64 fetched(u32 address);
  void request(u32 line, u64 cycle);
  // Fetches that find the port free before this cycle.
  void grantBefore(u64 cycle);
  void useLocalStore(const Instruction& instruction, u64 cycle);
  void takeHint(const Instruction& instruction, u64 cycle);
  void branch(const Instruction& instruction, u64 cycle);
  void takeBranch(u64 cycle, bool isHinted);
  // Instructions come from another place from this cycle on: out of the buffer for a hinted target, or as the local store brings them.
  void goOnFromBuffer(u64 cycle);
  void goOnFromLocalStore(u64 cycle);

  const Machine& machine_;
  Values& values_;
  std::vector<PipelineListener*> listeners_;
  Statistics statistics_;
  u64 next_ = 0;           // the cycle after the last that issued
  u32 lastAddress_ = ~0u;  // of the instruction that may still get a companion
  bool mayPair_ = false;

  std::deque<Fetch> fetches_;       // lines that are there or asked for, in order
  bool redirected_ = true;          // the next instruction is the first after a taken branch, or of all
  u64 redirectedAt_ = 0;            // from when on it can be issued
  u64 followingAt_ = 0;             // when the lines behind its own can be asked for
  u64 portFree_ = 0;                // after what has used the port so far
  u64 accessFree_ = 0;              // after the loads and stores among these
  std::optional<Hint> hint_;        // the last one: there is one buffer
  NameId speculated_ = kNoName;     // the target of the hint that the last branch followed
  u64 correctedAt_ = 0;             // from when on instructions can be issued if that was wrong
  std::deque<Store> stores_;        // under way
  std::deque<Transfer> transfers_;  // that may be under way, in the order of the commands
  u64 busFree_ = 0;                 // after what has been asked for so far
  std::deque<u64> transferCycles_;  // in which transfers have the port, in order
};

}  // namespace warpwright::spe
