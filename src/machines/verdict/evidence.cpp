#include "machines/verdict/evidence.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::machines {
namespace {

double part(u64 of, u64 all) { return stats::ratio(of, all).value_or(0); }
// Of ticks that a clock ratio makes of cycles.
double partOf(u64 of, double all) { return all <= 0 ? 0 : std::min(1.0, static_cast<double>(of) / all); }

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

double Evidence::noWarpOnSm() const { return sm().cycles == 0 ? 0 : std::max(0.0, 1 - part(sm().activeCycles, sm().cycles) - launching()); }

// SMs that wait for their own blocks also do so behind the end of the last warp, so that the larger of both is what is certain.
double Evidence::draining() const {
  const double ofBlocks = part(sm().drainCycles, sm().cycles), ofMachine = part(counters().drainCycles, counters().gpu.cycles);
  return std::min(noWarpOnSm(), std::max(ofBlocks, ofMachine));
}

double Evidence::idleSms() const { return noWarpOnSm() - draining(); }

double Evidence::emptySchedulers() const { return std::max(0.0, plainShare({sm::Slot::noWarp}) - noWarpOnSm() - launching()); }

double Evidence::placesThatMemoryHolds() const {
  if (blocksPerLaunch() <= static_cast<double>(places())) return 0;
  const double held = static_cast<double>(sm().residentWarpCycles) / std::max(1u, first().resources.warps);
  const double ended = static_cast<double>(sm().endedBlockCycles);
  return ended == 0 ? 0 : ended / (ended + held);
}

double Evidence::sharedLoads() const { return part(sm().loadStore.sharedLoadCycles, sm().loadStore.loadLatency.sum()); }

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

// Since the launches began.
double Evidence::partitionTicks() const {
  return begun() * static_cast<double>(counters().gpu.cycles) * static_cast<double>(machine_.partition.clockKhz) /
         static_cast<double>(machine_.coreClockKhz);
}

double Evidence::busiestAtomicsUnit() const { return partOf(mostOf(kernel_.units.sliceAtomicTicks).count, partitionTicks()); }

double Evidence::busiestSlice() const { return partOf(mostOf(kernel_.units.sliceAccesses).count, partitionTicks() * machine_.l2.ports); }

double Evidence::busiestChannel() const {
  return partOf(mostOf(kernel_.units.channelBusyTicks).count * machine_.dram.channels, begun() * static_cast<double>(memory().dram.ticks));
}

double Evidence::l2Use() const {
  return partOf(memory().partition.l2.accesses.total(),
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
