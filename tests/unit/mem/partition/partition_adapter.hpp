// A partition as the conformance harness sees it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "mem/partition/partition.hpp"
#include "stats/json.hpp"
#include "unit/mem/conformance/conform.hpp"

namespace warpwright::mem {

struct PartitionSetup {
  config::Partition partition;
  config::Cache l2, lastLevel;
  u32 partitions = 1;
  u64 pieceBytes = 256;
};

class PartitionAdapter {
 public:
  explicit PartitionAdapter(const PartitionSetup& setup)
      : map_(std::make_unique<AddressMap>(setup.partitions, setup.partition.slices, setup.partition.networkPorts, setup.pieceBytes,
                                          "false")),
        partition_(setup.partition, setup.l2, setup.lastLevel, *map_) {}

  u32 inputs() const { return 1; }
  u32 outputs() const { return partition_.ports(); }
  bool canAccept(u32, const Request& request) const { return partition_.canAccept(request); }
  void accept(u32, const Request& request, u64 now) { partition_.accept(request, {now}); }
  const Request* peek(u32 port) const { return partition_.peekResponse(port); }
  Request take(u32 port) { return partition_.takeResponse(port); }
  const Request* peekMiss() const { return partition_.peekMiss(); }
  Request takeMiss() { return partition_.takeMiss(); }
  bool canFill(const Request& response) const { return partition_.canFill(response); }
  void fill(const Request& response, u64 now) { partition_.fill(response, {now}); }
  bool tick(u64 now) { return partition_.tick({now}); }
  u64 nextUseful(u64 now) const { return partition_.nextUseful({now}).ticks; }
  bool quiescent() const { return partition_.quiescent(); }
  void flush() { partition_.flush(); }
  stats::Json statistics(u64 now) {
    counted_ = partition_.statistics({now});
    stats::Json result = stats::toJson(counted_);
    for (const PerformedAtomic& atomic : partition_.performed())
      result["performed"].push_back({atomic.time.ticks, u32{atomic.sm}, atomic.id});
    return result;
  }
  void check(stats::Conservation& laws) const { checkAtRest(counted_, laws); }

 private:
  std::unique_ptr<AddressMap> map_;
  Partition partition_;
  PartitionStats counted_;
};

}  // namespace warpwright::mem
