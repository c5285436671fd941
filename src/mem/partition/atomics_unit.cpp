#include "mem/partition/atomics_unit.hpp"

#include <algorithm>

namespace warpwright::mem {

AtomicsUnit::AtomicsUnit(const config::Partition& config)
    : rate_(config.atomicsPerTick),
      sectorTime_(config.atomicSectorTime),
      repeatTime_(config.atomicRepeatTime),
      repeatLatency_(config.atomicRepeatLatency),
      working_(config.atomicsQueue),
      done_(config.atomicsQueue) {}

// A tick at least. Operations that have no time of their own take whole ticks.
u64 AtomicsUnit::timeOf(const Request& response) const {
  const u64 sectors = sectorTime_ == 0 ? 0 : sectorCount(response.sectors);
  const u64 repeats = repeatTime_ == 0 ? 0 : response.repeats;
  const u64 others = response.operations - std::min<u64>(response.operations, sectors + repeats);
  return std::max(kThousand, sectors * sectorTime_ + repeats * repeatTime_ + (others + rate_ - 1) / rate_ * kThousand);
}

void AtomicsUnit::accept(const Request& response, L2Tick now) {
  const u64 time = timeOf(response);
  freeAt_ = std::max(freeAt_, now.ticks * kThousand) + time;
  work_ += time;
  const u64 ready = freeAt_ + u64{response.repeats} * repeatLatency_;
  lastReady_ = std::max(lastReady_, L2Tick{(ready + kThousand - 1) / kThousand});
  working_.push(response, lastReady_);
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
