// Traffic of the memory side by who asked.
#include "mem/memory_side.hpp"

namespace warpwright::mem {

// visit(part of Traffic, what counts for it).
template <class Visit>
void MemorySide::forEachTable(Visit visit) {
  visit(&Traffic::requests, requests_);
  visit(&Traffic::responses, responses_);
  for (const auto& partition : partitions_) {
    partition->forEachCache([&](auto& cache, bool isLastLevel) { visit(isLastLevel ? &Traffic::lastLevel : &Traffic::l2, cache); });
  }
  for (const auto& channel : channels_) visit(&Traffic::dram, channel->dram);
}

void MemorySide::countByOrigin() {
  forEachTable([](auto, auto& counts) { counts.countByOrigin(); });
}

void MemorySide::beginLaunch(u32 launch) {
  forEachTable([&](auto, auto& counts) { counts.origins()->begin(launch); });
}

void MemorySide::endLaunch(u32 launch, TrafficByPc& into) {
  forEachTable([&](auto part, auto& counts) { takeLaunch(into, part, *counts.origins(), launch); });
}

void MemorySide::addTraffic(Traffic& into) {
  forEachTable([&](auto part, auto& counts) { stats::merge(into.*part, counts.origins()->total()); });
}

}  // namespace warpwright::mem
