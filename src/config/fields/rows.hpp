// The lists of rows, one a structure.
#pragma once

#include <span>

#include "config/field.hpp"
#include "config/machine.hpp"

namespace warpwright::config {

inline constexpr u64 kKi = 1024, kMi = kKi * kKi, kGi = kKi * kMi;

template <class S>
using Rows = std::span<const Row<S>>;

Rows<Machine> machineRows();
Rows<Machine> chipRows();
Rows<Machine> smRows();
Rows<Sm> pipelineRows();
Rows<Sm> smMemoryRows();
Rows<Pipes> pipesRows();
Rows<LatencyOf> latencyRows();
Rows<LatencyOf> finerLatencyRows();
Rows<Cache> cacheRows();
Rows<Partition> partitionRows();
Rows<Network> networkRows();
Rows<Dram> dramRows();

// A structure that Sm holds several times.
template <class T>
struct Part {
  std::string_view name, text;
  T Sm::*member;
};
std::span<const Part<Pipes>> pipesParts();
std::span<const Part<LatencyOf>> operationParts();
// Parts of those classes.
std::span<const Part<LatencyOf>> finerOperationParts();

}  // namespace warpwright::config
