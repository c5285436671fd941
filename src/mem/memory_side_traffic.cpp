// Traffic of the memory side by who asked.
#include "mem/memory_side.hpp"

namespace warpwright::mem {

// visit(part of Traffic, the table that counts for it).
template <class Visit>
void MemorySide::forEachTable(Visit visit) {
  visit(&Traffic::requests, *requests_->network().origins());
  visit(&Traffic::responses, *responses_->network().origins());
  for (const auto& section : partitions_) {
    section->partition().forEachTable(
        [&](OriginTable<CacheUse>& table, bool isLastLevel) { visit(isLastLevel ? &Traffic::lastLevel : &Traffic::l2, table); });
    if (OriginTable<DramUse>* table = section->dram().origins()) visit(&Traffic::dram, *table);
  }
}

void MemorySide::countByOrigin() {
  requests_->network().countByOrigin();
  responses_->network().countByOrigin();
  for (const auto& section : partitions_) {
    section->partition().countByOrigin();
    section->dram().countByOrigin();
  }
}

void MemorySide::beginLaunch(u32 launch) {
  forEachTable([&](auto, auto& table) { table.begin(launch); });
}

void MemorySide::endLaunch(u32 launch, TrafficByPc& into) {
  forEachTable([&](auto part, auto& table) { takeLaunch(into, part, table, launch); });
}

void MemorySide::addTraffic(Traffic& into) {
  forEachTable([&](auto part, auto& table) { stats::merge(into.*part, table.total()); });
}

}  // namespace warpwright::mem
