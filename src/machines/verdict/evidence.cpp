#include "machines/verdict/evidence.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::machines {
namespace {

double part(u64 of, u64 all) { return stats::ratio(of, all).value_or(0); }

}  // namespace

double Evidence::plainShare(std::initializer_list<sm::Slot> slots) const {
  u64 sum = 0;
  for (const sm::Slot slot : slots) sum += sm().slots[slot];
  return part(sum, sm().slots.total());
}

double Evidence::share(std::initializer_list<sm::Slot> slots) const {
  const double counted = working() - emptySchedulers();
  return counted <= 0 ? 0 : plainShare(slots) * (working() - fewWarps()) / counted;
}

double Evidence::launching() const { return std::min(1.0, part(counters().launches * machine_.sm.launchLatency, counters().gpu.cycles)); }

double Evidence::idleSms() const { return sm().cycles == 0 ? 0 : std::max(0.0, 1 - part(sm().activeCycles, sm().cycles) - launching()); }

double Evidence::emptySchedulers() const { return std::max(0.0, plainShare({sm::Slot::noWarp}) - idleSms() - launching()); }

double Evidence::fewWarps() const {
  const double blocks = std::min(std::ceil(blocksPerLaunch() / machine_.multiprocessors), static_cast<double>(residentBlocks()));
  const double warps = blocks * first().resources.warps;
  const double empty = std::max(0.0, 1 - warps / std::max(1u, machine_.schedulersPerSm));
  return std::min(emptySchedulers(), empty * working());
}

double Evidence::pipeUse(sm::Pipe pipe) const {
  return part(sm().backend.pipeCycles[pipe], sm().activeCycles * std::max(1u, sm::pipesOf(machine_.sm, pipe).count));
}

sm::Pipe Evidence::busiestPipe() const {
  sm::Pipe most{};
  for (std::size_t index = 1; index < sm::kPipes; ++index) {
    const auto pipe = static_cast<sm::Pipe>(index);
    if (sm().backend.dispatchWaits[pipe] > sm().backend.dispatchWaits[most]) most = pipe;
  }
  return most;
}

u64 Evidence::partitionTicks() const { return counters().gpu.cycles * machine_.partition.clockKhz / machine_.coreClockKhz; }

double Evidence::busiestAtomicsUnit() const { return part(mostOf(kernel_.units.sliceAtomicTicks).count, partitionTicks()); }

double Evidence::busiestSlice() const { return part(mostOf(kernel_.units.sliceAccesses).count, partitionTicks() * machine_.l2.ports); }

double Evidence::busiestChannel() const {
  return part(mostOf(kernel_.units.channelBusyTicks).count * machine_.dram.channels, memory().dram.ticks);
}

double Evidence::l2Use() const {
  return part(memory().partition.l2.accesses.total(),
              partitionTicks() * machine_.dram.channels * machine_.partition.slices * machine_.l2.ports);
}

double Evidence::blocksPerLaunch() const { return part(counters().gridBlocks, counters().launches); }

u32 Evidence::residentBlocks() const { return first().residentBlocks; }

u64 Evidence::places() const { return u64{machine_.multiprocessors} * residentBlocks(); }

std::string_view Evidence::limiter() const {
  const BlockResources& block = first().resources;
  const u64 next = u64{residentBlocks()} + 1;  // blocks: which limit forbids one more
  if (block.warps * next > machine_.warpsPerSm) return "warps";
  if (block.sharedBytes * next > machine_.sharedBytesPerSm) return "shared memory";
  return next > machine_.blocksPerSm ? "blocks" : "registers";
}

}  // namespace warpwright::machines
