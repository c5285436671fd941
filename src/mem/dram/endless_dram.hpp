// DRAM without a limit of its bandwidth (dram.perfect_latency): whatever is asked for is there after a fixed time.
#pragma once

#include <deque>

#include "mem/dram/model.hpp"

namespace warpwright::mem {

// Counts requests and their latencies; there are no commands, no rows and no bus, and so no bytes moved over one.
class EndlessDram final : public DramModel {
 public:
  // latency: ticks from a request to its answer, 1 or more.
  explicit EndlessDram(u32 latency) : latency_(latency) {}

  bool canAccept(const Request&) const override { return true; }
  void accept(const Request& request, DramTick now) override;
  const Request* peekResponse() const override;
  Request takeResponse() override;

  bool tick(DramTick now) override;
  DramTick nextUseful(DramTick now) const override;
  bool idle() const override { return underWay_.empty(); }

  const DramStats& statistics(DramTick now) override;

 private:
  struct Access {
    Request request;
    DramTick ready{};
  };

  void settle(DramTick now);

  const u32 latency_;
  std::deque<Access> underWay_;  // in the order of their times; first those that are ready
  std::size_t ready_ = 0;        // so many of them, reads all
  DramTick settled_{};           // the counters cover the ticks before
  DramStats stats_;
};

}  // namespace warpwright::mem
