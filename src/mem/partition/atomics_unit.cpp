#include "mem/partition/atomics_unit.hpp"

#include <algorithm>

namespace warpwright::mem {

void AtomicsUnit::accept(const Request& response, L2Tick now) {
  const u64 ticks = std::max<u64>(1, (u64{response.operations} + rate_ - 1) / rate_);
  freeAt_ = std::max(freeAt_, now) + ticks;
  workTicks_ += ticks;
  working_.push(response, freeAt_);
}

bool AtomicsUnit::tick(L2Tick now, std::vector<PerformedAtomic>& performed) {
  if (!working_.advance(now)) return false;
  while (working_.peek()) {
    const L2Tick time = working_.readyAt();
    const Request request = working_.take();
    performed.push_back({time, SmId{request.origin.sm}, request.id});
    done_.push(request);
  }
  return true;
}

Request AtomicsUnit::take() {
  const Request request = done_.front();
  done_.pop();
  return request;
}

}  // namespace warpwright::mem
