#include "machines/verdict/evidence.hpp"

#include <algorithm>

namespace warpwright::machines {
namespace {

double part(u64 of, u64 all) { return stats::ratio(of, all).value_or(0); }

const config::Pipes& pipesNamed(const config::Sm& sm, sm::Pipe pipe) {
  const config::Pipes* const all[] = {&sm.integer, &sm.fp32, &sm.fp64, &sm.sfu, &sm.loadStore, &sm.tensor};
  return *all[static_cast<std::size_t>(pipe)];
}

}  // namespace

double Evidence::share(std::initializer_list<sm::Slot> slots) const {
  u64 sum = 0;
  for (const sm::Slot slot : slots) sum += sm().slots[slot];
  return part(sum, sm().slots.total());
}

double Evidence::launching() const { return std::min(1.0, part(counters().launches * machine_.sm.launchLatency, counters().gpu.cycles)); }

double Evidence::idleSms() const { return sm().cycles == 0 ? 0 : std::max(0.0, 1 - part(sm().activeCycles, sm().cycles) - launching()); }

double Evidence::emptySchedulers() const { return std::max(0.0, share({sm::Slot::noWarp}) - idleSms() - launching()); }

double Evidence::pipeUse(sm::Pipe pipe) const {
  return part(sm().backend.pipeCycles[pipe], sm().activeCycles * std::max(1u, pipesNamed(machine_.sm, pipe).count));
}

sm::Pipe Evidence::busiestPipe() const {
  sm::Pipe most{};
  for (std::size_t index = 1; index < sm::kPipes; ++index) {
    const auto pipe = static_cast<sm::Pipe>(index);
    if (sm().backend.pipeWaits[pipe] > sm().backend.pipeWaits[most]) most = pipe;
  }
  return most;
}

double Evidence::atomicsUse() const {
  const u64 ticks = memory().requests.ticks * machine_.partition.clockKhz / std::max<u64>(1, machine_.network.clockKhz);
  return part(memory().partition.atomicTicks, ticks * machine_.dram.channels * machine_.partition.slices);
}

double Evidence::l2Use() const {
  const u64 ticks = memory().requests.ticks * machine_.partition.clockKhz / std::max<u64>(1, machine_.network.clockKhz);
  return part(memory().partition.l2.accesses.total(), ticks * machine_.dram.channels * machine_.partition.slices * machine_.l2.ports);
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
