// The memory below an agent: takes what the agent sends down and answers after a random time, out of order.
#pragma once

#include <map>
#include <utility>

#include "unit/mem/conformance/traffic.hpp"

namespace warpwright::mem::conformance {

class LowerMemory {
 public:
  explicit LowerMemory(const Traffic& traffic) : traffic_(traffic) {}

  bool canTake() const { return waiting_.size() < traffic_.lowerCapacity; }
  void take(Request request, u64 now) {
    const u64 number = taken_++;
    if (!request.wantsResponse) return;
    request.isResponse = true;
    const u64 latency = 1 + mix(traffic_.seed * 31 + number) % traffic_.lowerLatency;
    waiting_.emplace(std::pair{now + latency, number}, request);
  }

  // Hands the agent every response that is due, until one does not fit. Whether there was any.
  template <class A>
  bool answer(A& agent, u64 now) {
    bool any = false;
    while (!waiting_.empty() && waiting_.begin()->first.first <= now && agent.canFill(waiting_.begin()->second)) {
      agent.fill(waiting_.begin()->second, now);
      waiting_.erase(waiting_.begin());
      any = true;
    }
    return any;
  }

  bool empty() const { return waiting_.empty(); }

 private:
  const Traffic& traffic_;
  std::map<std::pair<u64, u64>, Request> waiting_;  // by due time, then by order of arrival
  u64 taken_ = 0;
};

}  // namespace warpwright::mem::conformance
