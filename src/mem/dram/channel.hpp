// One channel of DRAM with its controller.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/ring_queue.hpp"
#include "base/time.hpp"
#include "config/dram.hpp"
#include "mem/dram/bank_queues.hpp"
#include "mem/dram/geometry.hpp"
#include "mem/dram/model.hpp"
#include "mem/dram/refresh.hpp"
#include "mem/dram/schedule.hpp"
#include "mem/dram/statistics.hpp"
#include "mem/dram/timing.hpp"
#include "mem/partition/address_map.hpp"
#include "mem/request.hpp"
#include "mem/traffic.hpp"

namespace warpwright::mem {

// A memory agent. A request accepted in tick t can cause its first command in tick t + 1; its response is ready in the tick after its last
// data have crossed the bus: t + 1 + tCL + burst for a row hit in an idle channel. Responses come in the order of the data on the bus. The
// fixed latency of controller and interface is the caller's to add.
//
// Atomics are reads here: whoever performs them sends the write.
class DramChannel final : public DramModel {
 public:
  // The configuration is valid (config/rules.hpp). skip: a tick in which nothing can change returns at once.
  explicit DramChannel(const config::Dram& config, bool skip = true);

  void observe(DramObserver* observer) override { observer_ = observer; }

  bool canAccept(const Request&) const override { return !freeSlots_.empty(); }
  // The address is the global one; the request's line lies within one interleaved piece, of this channel, and it has a sector.
  void accept(const Request& request, DramTick now) override;
  const Request* peekResponse() const override { return returns_.empty() ? nullptr : &returns_.front(); }
  Request takeResponse() override;

  bool tick(DramTick now) override;
  DramTick nextUseful(DramTick now) const override;
  // Refreshes go on.
  bool idle() const override { return queued() == 0 && inFlight_.empty() && returns_.empty(); }

  const DramStats& statistics(DramTick now) override;
  void countByOrigin() override { origins_.emplace(); }
  OriginTable<DramUse>* origins() override { return origins_ ? &*origins_ : nullptr; }
  const config::Dram& configuration() const { return config_; }

 private:
  struct Pending {
    Request request;
    DramTick arrival{};
    u32 columnsLeft = 0;
  };
  struct Finishing {
    Request request;
    DramTick arrival{}, end{};
  };

  u32 queued() const { return static_cast<u32>(slots_.size() - freeSlots_.size()); }
  bool returnsFull() const { return responses_ >= config_.returnQueue; }
  u64 banksOf(u32 rank) const;

  void settle(DramTick now);
  bool finish(DramTick now);
  DramTick refreshRanks(DramTick now, bool& progressed);
  DramTick serveAccesses(DramTick now, bool& progressed);
  void serve(const dram::Proposal& proposal, DramTick now);
  void moveData(dram::AccessId id, dram::Command command, DramTick now);
  void issue(dram::Command command, const dram::Location& location, DramTick now);

  config::Dram config_;
  AddressMap addresses_;
  dram::Geometry geometry_;
  dram::Timing timing_;
  dram::BankQueues queues_;
  dram::BankSteps steps_;
  dram::Refresh refresh_;
  std::shared_ptr<dram::Scheduler> scheduler_;  // a copy of the channel shares it
  bool hasOneCommandBus_, skip_;
  DramObserver* observer_ = nullptr;

  std::vector<Pending> slots_;
  std::vector<u16> freeSlots_;
  RingQueue<Finishing> inFlight_;  // in the order of their data
  RingQueue<Request> returns_;
  u32 responses_ = 0;  // in flight and returned
  DramTick next_;      // tick() can do nothing before
  DramTick busEnd_{};  // first tick without data
  enum class Direction : u8 { none, read, write } direction_ = Direction::none;

  DramTick settled_{};  // the counters cover the ticks before
  DramStats stats_;
  std::optional<OriginTable<DramUse>> origins_;  // nothing: nobody asks
};

}  // namespace warpwright::mem
