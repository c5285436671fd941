// A memory partition as the networks and what lies below it see it: a memory agent (docs/memory-system.md) on the L2 clock, with ports.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "base/touched_line.hpp"
#include "mem/origin_table.hpp"
#include "mem/partition/atomics_unit.hpp"
#include "mem/partition/statistics.hpp"
#include "mem/request.hpp"
#include "mem/traffic.hpp"

namespace warpwright::mem {

class PartitionModel {
 public:
  virtual ~PartitionModel() = default;

  virtual bool canAccept(const Request& request) const = 0;
  virtual void accept(const Request& request, L2Tick now) = 0;
  // Ports of the networks, and then that of the partner where there is one, 0 … ports() - 1.
  virtual u32 ports() const = 0;
  virtual const Request* peekResponse(u32 port) const = 0;
  virtual Request takeResponse(u32 port) = 0;

  // What DRAM is to do, and what it answers.
  virtual const Request* peekMiss() const = 0;
  virtual Request takeMiss() = 0;
  virtual bool canFill(const Request& response) const = 0;
  virtual void fill(const Request& response, L2Tick now) = 0;

  // What its partner in the other half of the chip is to be asked for, and what it answers. The requests cross; the partner's own come to
  // accept(), and their responses leave by a port of their own, behind those of the networks.
  virtual const Request* peekFarMiss() const { return nullptr; }
  virtual Request takeFarMiss() { return {}; }
  virtual bool canFillFromAfar(const Request&, L2Tick /*now*/) const { return false; }
  virtual void fillFromAfar(const Request&, L2Tick /*now*/) {}

  virtual bool tick(L2Tick now) = 0;
  virtual L2Tick nextUseful(L2Tick now) const = 0;
  virtual bool quiescent() const = 0;

  // Sectors of a line are in the L2 slice, and clean: something other than an SM has put them there.
  virtual void place(GlobalAddress address, u32 sectors, L2Tick now) = 0;
  // The same of a line that accesses have touched which took no time; what they have stored is dirty.
  virtual void touch(const TouchedLine& touched, L2Tick now) = 0;

  // Atomics that took effect since the last clearPerformed(), in order.
  virtual std::span<const PerformedAtomic> performed() const = 0;
  virtual void clearPerformed() = 0;

  // Counted up to, not including, tick `until`.
  virtual PartitionStats statistics(L2Tick until) = 0;
  // Of its L2 slices one by one, where it has some.
  virtual std::vector<SliceLoad> sliceLoads(L2Tick /*until*/) { return {}; }
  // From now on its caches count accesses by who asked, too.
  virtual void countByOrigin() {}
  // Visits the tables in which they do; isLastLevel: of the cache below the L2 slices.
  using VisitTable = std::function<void(OriginTable<CacheUse>& table, bool isLastLevel)>;
  virtual void forEachTable(const VisitTable& /*visit*/) {}
};

}  // namespace warpwright::mem
