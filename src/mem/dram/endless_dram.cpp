#include "mem/dram/endless_dram.hpp"

#include <algorithm>

namespace warpwright::mem {

void EndlessDram::accept(const Request& request, DramTick now) {
  settle(now);
  ++(isWrite(request.type) ? stats_.writes : stats_.reads);
  stats_.bytesIn += request.wireBytes();
  underWay_.push_back({request, now + latency_});
}

const Request* EndlessDram::peekResponse() const { return ready_ == 0 ? nullptr : &underWay_.front().request; }

Request EndlessDram::takeResponse() {
  const Request result = underWay_.front().request;
  underWay_.pop_front();
  --ready_;
  return result;
}

bool EndlessDram::tick(DramTick now) {
  settle(now);
  bool any = false;
  while (ready_ < underWay_.size() && underWay_[ready_].ready <= now) {
    Request& request = underWay_[ready_].request;
    const bool isWriting = isWrite(request.type);
    ++(isWriting ? stats_.finishedWrites : stats_.finishedReads);
    (isWriting ? stats_.writeLatency : stats_.readLatency).add(latency_);
    any = true;
    if (!request.wantsResponse) {
      underWay_.erase(underWay_.begin() + static_cast<std::ptrdiff_t>(ready_));
      continue;
    }
    request.isResponse = true;
    stats_.bytesOut += request.wireBytes();
    ++ready_;
  }
  return any;
}

DramTick EndlessDram::nextUseful(DramTick now) const {
  if (ready_ == underWay_.size()) return {~u64{0}};
  return std::max(underWay_[ready_].ready, now + 1);
}

const DramStats& EndlessDram::statistics(DramTick now) {
  settle(now);
  return stats_;
}

void EndlessDram::settle(DramTick now) {
  if (now <= settled_) return;
  const u64 passed = now - settled_;
  stats_.ticks += passed;
  stats_.activeTicks += underWay_.empty() ? 0 : passed;
  stats_.queue.add(0, passed);
  settled_ = now;
}

}  // namespace warpwright::mem
