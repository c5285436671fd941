// Streams: launches that wait until the host does, and then run side by side.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runtime/device.hpp"

namespace warpwright {

class LaunchQueues {
 public:
  explicit LaunchQueues(runtime::Device& device) : device_(device) {}

  u32 create(int priority);
  // Throws Error for a stream that there is not, and for a launch that is impossible.
  void add(u32 stream, runtime::Launch launch);
  // Runs all that was added. Throws Error with the report of the first launch that fails; the rest is given up.
  void finish();
  // When the last launch ended, in simulated time.
  u64 nanoseconds() const { return now_; }
  std::vector<std::string> takeWarnings();

 private:
  struct Queue {
    int priority = 0;
    std::deque<runtime::Launch> waiting;
  };

  void submitNext(std::size_t queue, u64 startNanoseconds);
  void ended(std::size_t queue, const runtime::LaunchOutcome& outcome);
  void forgetAll();

  runtime::Device& device_;
  std::vector<Queue> queues_{1};  // the first is the host's own
  std::vector<std::string> warnings_;
  std::string failure_;  // of the first launch that failed
  u64 now_ = 0;
};

}  // namespace warpwright
