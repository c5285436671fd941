// Dynamic throttling (section 4.4): the controller watches how busy schedulers and functional units are and how idle the SM, in windows of
// some cycles, and lets begin what suits the last of them.
#pragma once

#include <array>

#include "base/time.hpp"
#include "config/machine.hpp"
#include "mechanisms/assist_warps/routine.hpp"
#include "mechanisms/assist_warps/settings.hpp"
#include "sm/instruction_info.hpp"

namespace warpwright::mechanisms::assist_warps {

// What does not begin, of what can wait. Of high priority all does.
struct Throttled {
  bool isBusy = false;    // nothing
  bool isUnidle = false;  // nothing of low priority
  UnitSet busyUnits;      // no routine that uses one of them

  bool stops(const Routine& routine, Priority priority) const {
    if (priority == Priority::high) return false;
    return isBusy || (isUnidle && priority == Priority::low) || busyUnits.meets(routine.units);
  }
  bool operator==(const Throttled&) const = default;
};

// For which an instruction occupies the entrance of its pipe. What goes to memory is counted by the load/store unit.
inline u32 cyclesInPipe(const sm::InstructionInfo& info) { return info.flow == sm::Flow::compute ? info.interval : 0; }

class Throttle {
 public:
  Throttle(const Settings& settings, const config::Machine& machine);

  // An instruction has issued that occupies the entrance of a pipe of its unit for so many cycles; 0: it goes into none. Time goes on from
  // call to call.
  void warpIssued(isa::Unit unit, u32 cycles, Cycle now) { issued(&Window::warps, unit, cycles, now); }
  void assistIssued(isa::Unit unit, u32 cycles, Cycle now) { issued(&Window::assists, unit, cycles, now); }
  // Cycles in which the load/store unit has been busy, since the machine was made.
  void loadStoreUsed(u64 cycles, Cycle now);

  // As the window before that of `now` has it. It changes at the ends of windows alone.
  const Throttled& at(Cycle now) {
    turn(now);
    return throttled_;
  }
  // Of the window of the last call.
  Cycle windowEnd() const { return end_; }

 private:
  static constexpr std::size_t kPipes = 6;  // kinds of them
  struct Window {
    u64 warps = 0, assists = 0, loadStore = 0;  // instructions; cycles
    std::array<u64, kPipes> occupied{};         // cycles of all pipes of a kind together
  };

  void issued(u64 Window::*slots, isa::Unit unit, u32 cycles, Cycle now);
  void turn(Cycle now) {
    if (now >= end_) [[unlikely]]
      beginWindow(now);
  }
  void beginWindow(Cycle now);
  Throttled judge(const Window& window) const;
  std::size_t pipeOf(isa::Unit unit) const { return pipeOf_[static_cast<std::size_t>(unit)]; }

  u64 length_, slots_;  // of a window: cycles, issue slots
  u32 busyPercent_, idlePercent_, unitPercent_;
  std::array<u8, sm::kUnits> pipeOf_{};  // kinds of pipes, as pipeOf() numbers them
  std::array<u32, kPipes> pipeCount_{};
  Window window_;  // at hand
  Cycle end_{};
  u64 loadStoreBefore_ = 0;  // cycles, when it was told last
  Throttled throttled_;
};

}  // namespace warpwright::mechanisms::assist_warps
