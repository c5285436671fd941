// A launch that gives way where it waits for what others do, other launches or the host: a grid in which nothing changes any more.
#pragma once

#include <memory>

#include "exec/launch.hpp"

namespace warpwright::exec {

// How long a grid goes on in which all threads wait.
enum class Patience : u8 {
  none,    // others are ready: not at all; and it gives way when it has used up its turn, too
  usual,   // the host goes on: until it waits for ever, or has polled for long
  utmost,  // the host waits: the same, but it has polled for so long that it hangs
};

class ResumableLaunch {
 public:
  // Both must outlive it. Throws Error for a request that no machine could run.
  ResumableLaunch(const LaunchRequest& request, GlobalMemory& memory);
  ~ResumableLaunch();
  ResumableLaunch(const ResumableLaunch&) = delete;
  ResumableLaunch& operator=(const ResumableLaunch&) = delete;

  // True when it has ended, false when it gives way.
  bool run(Patience patience);
  // Grows with whatever it does that others may wait for.
  u64 changes() const;
  // Ends it where it waits: it hangs.
  void endAsHung();
  // Ends it without a report, because another launch failed.
  void stop();
  // Once it has ended.
  LaunchResult result();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::exec
