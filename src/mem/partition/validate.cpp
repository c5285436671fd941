#include "mem/cache/validate.hpp"

#include <fmt/format.h>

#include <bit>

#include "base/error.hpp"
#include "mem/partition/partition.hpp"

namespace warpwright::mem {
namespace {

void requireOne(u32 value, std::string_view key) {
  if (value == 0) throw Error(fmt::format("partition.{} is 0", key), {}, fmt::format("set partition.{} to 1 or more", key));
}

void validateLevel(const config::Cache& cache, std::string_view section, u64 interleaveBytes) {
  if (cache.bytes == 0) return;
  validate(cache, section);
  if (cache.lineBytes <= interleaveBytes) return;
  throw Error(fmt::format("{}.line_bytes: a line of {} bytes spans several pieces of dram.interleave_bytes = {}", section, cache.lineBytes,
                          interleaveBytes),
              {}, "make dram.interleave_bytes at least as large as the line");
}

}  // namespace

void validatePartition(const config::Partition& config, const config::Cache& l2, const config::Cache& lastLevel, u64 interleaveBytes) {
  requireOne(config.slices, "slices");
  requireOne(config.networkPorts, "network_ports");
  if (config.slices % config.networkPorts != 0) {
    throw Error(fmt::format("partition.network_ports: {} slices cannot share {} ports evenly", config.slices, config.networkPorts), {},
                "make partition.slices a multiple of partition.network_ports");
  }
  requireOne(config.inputQueue, "input_queue");
  requireOne(config.outputQueue, "output_queue");
  requireOne(config.dramQueue, "dram_queue");
  requireOne(config.fillQueue, "fill_queue");
  requireOne(config.atomicsPerTick, "atomics_per_tick");
  requireOne(config.atomicsQueue, "atomics_queue");
  if (!std::has_single_bit(interleaveBytes)) {
    throw Error(fmt::format("dram.interleave_bytes: {} is not a power of two", interleaveBytes), {}, "use 128, 256, 512 …");
  }
  validateLevel(l2, "l2", interleaveBytes);
  validateLevel(lastLevel, "llc", interleaveBytes);
  if (l2.bytes == 0 || lastLevel.bytes == 0 || l2.lineBytes <= lastLevel.lineBytes) return;
  throw Error(fmt::format("llc.line_bytes: lines of {} bytes below l2.line_bytes = {}", lastLevel.lineBytes, l2.lineBytes), {},
              "make llc.line_bytes at least as large as l2.line_bytes");
}

}  // namespace warpwright::mem
