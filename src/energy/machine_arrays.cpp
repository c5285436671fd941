#include "energy/machine_arrays.hpp"

#include <algorithm>
#include <bit>

#include "base/memory_units.hpp"

namespace warpwright::energy {
namespace {

constexpr u32 kAddressBits = 40;        // NVIDIA's Fermi whitepaper: of the unified address space
constexpr u32 kStateBitsPerSector = 2;  // valid, dirty
constexpr u32 kBitsPerWaiter = 16;      // chosen: slot of a warp, entry of the load/store unit
constexpr u32 kBitsPerLane = 8;         // chosen: offset in a line of 128 bytes, and whether the lane takes part
constexpr u32 kOperands = 3;            // GPGPU-Sim's collectors, after NVIDIA's patents

u32 bitsOf(u64 values) { return static_cast<u32>(std::bit_width(std::max<u64>(values, 1) - 1)); }
u64 bytesOf(u64 bits) { return (bits + 7) / 8; }
u32 lineAddressBits(const config::Cache& cache) { return kAddressBits - bitsOf(cache.lineBytes); }

}  // namespace

Sram registerFile(const config::Machine& machine) {
  return {u64{machine.registersPerSm} * 4, machine.warpSize * 32, machine.sm.registerBanks, machine.sm.registerBankPorts};
}

Sram operandCollectors(const config::Machine& machine) {
  const u32 collectors = machine.sm.collectors;
  return {u64{collectors} * kOperands * machine.warpSize * 4, machine.warpSize * 32, std::max(collectors, 1u), 1};
}

Sram sharedMemory(const config::Machine& machine) {
  return {machine.sharedBytesPerSm, machine.sharedBankBytes * 8, machine.sharedBanks, machine.sm.sharedPorts};
}

Sram pendingRequests(const config::Machine& machine) {
  const u32 word = machine.warpSize * kBitsPerLane;
  return {u64{machine.warpsPerSm} * bytesOf(word), word, 1, 1};
}

Sram fetchedCode(const config::Machine& machine) {
  return {machine.l1i.bytes, machine.sm.instructionBytes * machine.sm.fetchWidth * 8, machine.l1i.banks, 1};
}

Sram dataOf(const config::Cache& cache) { return {cache.bytes, kSectorBytes * 8, cache.banks, 1}; }

Sram tagsOf(const config::Cache& cache) {
  const u64 lines = cache.bytes / cache.lineBytes, sets = lines / cache.ways;
  const u32 bits = lineAddressBits(cache) - bitsOf(sets) + kStateBitsPerSector * (cache.lineBytes / cache.sectorBytes);
  return {bytesOf(lines * bits), cache.ways * bits, cache.banks, 1};
}

Sram mshrsOf(const config::Cache& cache) {
  const u32 word = lineAddressBits(cache) + cache.mergesPerMshr * kBitsPerWaiter;
  return {cache.mshrs * bytesOf(word), word, 1, 1};
}

u64 searchedBits(const config::Cache& cache) { return u64{cache.mshrs} * lineAddressBits(cache); }

Sram flitBuffers(const config::Network& network) {
  return {u64{network.virtualChannels} * network.buffersPerChannel * network.flitBytes, network.flitBytes * 8, 1, 1};
}

Arrays arraysOf(std::string_view unit, const config::Machine& machine) {
  const u64 sms = machine.multiprocessors, partitions = machine.dram.channels;
  const auto cache = [](const config::Cache& each, u64 instances) {
    return each.bytes == 0 ? Arrays{} : Arrays{{dataOf(each), tagsOf(each), mshrsOf(each)}, instances};
  };
  if (unit == "register_file") return {{registerFile(machine)}, sms};
  if (unit == "coalescer") return {{pendingRequests(machine)}, sms};
  if (unit == "shared_memory") return machine.sharedBytesPerSm == 0 ? Arrays{} : Arrays{{sharedMemory(machine)}, sms};
  if (unit == "l1d") return machine.l1d.bytes == 0 ? Arrays{{mshrsOf(machine.l1d)}, sms} : cache(machine.l1d, sms);
  if (unit == "l1i") return cache(machine.l1i, sms);
  if (unit == "l1c") return cache(machine.l1c, sms);
  if (unit == "l15c") return cache(machine.l15c, sms);
  if (unit == "texture_cache") return cache(machine.textureCache, sms);
  if (unit == "l2") return cache(machine.l2, partitions * machine.partition.slices);
  if (unit == "llc") return cache(machine.llc, partitions);
  return {};
}

Footprint footprintOf(const Arrays& arrays, double nanometres) {
  Footprint one;
  for (const Sram& each : arrays.ofOne) {
    const SramEstimate estimated = estimate(each, nanometres);
    one.bytes += each.bytes;
    one.area += estimated.area;
    one.leakage += estimated.leakage;
  }
  const auto instances = static_cast<double>(arrays.instances);
  return {arrays.instances * one.bytes, instances * one.area, instances * one.leakage};
}

}  // namespace warpwright::energy
