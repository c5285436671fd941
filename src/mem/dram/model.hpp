// What a memory partition works with as its DRAM channel: a memory agent (docs/memory-system.md) on the command clock.
#pragma once

#include "base/time.hpp"
#include "mem/dram/command.hpp"
#include "mem/dram/geometry.hpp"
#include "mem/dram/statistics.hpp"
#include "mem/origin_table.hpp"
#include "mem/request.hpp"
#include "mem/traffic.hpp"

namespace warpwright::mem {

// Sees every command in the order of issue.
class DramObserver {
 public:
  virtual ~DramObserver() = default;
  virtual void issued(dram::Command command, const dram::Location& location, DramTick now) = 0;
};

class DramModel {
 public:
  virtual ~DramModel() = default;

  virtual bool canAccept(const Request& request) const = 0;
  virtual void accept(const Request& request, DramTick now) = 0;
  // Null when no response is ready.
  virtual const Request* peekResponse() const = 0;
  virtual Request takeResponse() = 0;

  // At most one call a tick, with growing times. False: nothing happened.
  virtual bool tick(DramTick now) = 0;
  // After tick(now): the first tick in which tick could do anything, unless a request or a taken response comes before.
  virtual DramTick nextUseful(DramTick now) const = 0;
  // Nothing is waiting or under way.
  virtual bool idle() const = 0;

  // Counters up to and without tick `now`.
  virtual const DramStats& statistics(DramTick now) = 0;
  // From now on bytes moved are counted by who asked, too.
  virtual void countByOrigin() {}
  // Null when they are not.
  virtual OriginTable<DramUse>* origins() { return nullptr; }
  // Null: nobody hears. What has no commands tells nothing.
  virtual void observe(DramObserver* /*observer*/) {}
};

}  // namespace warpwright::mem
