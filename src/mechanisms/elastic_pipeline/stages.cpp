#include "mechanisms/elastic_pipeline/stages.hpp"

#include <algorithm>

#include "mechanisms/elastic_pipeline/hardware_cost.hpp"

namespace warpwright::mechanisms::elastic_pipeline {
namespace {

using sm::Slot;
using sm::Stage;
using sm::SubWarp;

// Behind the execution stages, the one that is taken in included.
u32 mostSubWarps(Depths depths, const config::Machine& machine) { return depths.premem + machine.sm.memoryStages + depths.nonmem + 2; }

}  // namespace

ElasticStages::ElasticStages(const config::Machine& machine, const Settings& settings, const sm::StagesContext& context,
                             Statistics& statistics)
    : inFlight_(context.inFlight),
      certain_(context.certain),
      port_(context.mostOperations),
      memory_(machine.sm.memoryStages, context.certain, inFlight_),
      order_(inFlight_, settings.commit == Commit::inOrder, mostSubWarps(depthsOf(settings, machine), machine)),
      premem_(depthsOf(settings, machine).premem),
      nonmemDepth_(depthsOf(settings, machine).nonmem),
      statistics_(statistics) {
  nonmem_.reserve(nonmemDepth_);
  const HardwareCost cost = hardwareCost(depthsOf(settings, machine), machine.sm.loadStore.width);
  statistics_.latches.observe(cost.latches);
  statistics_.writeBackInputs.observe(cost.writeBackInputs);
  statistics_.firstMemoryInputs.observe(cost.firstMemoryInputs);
}

bool ElasticStages::tick(Cycle now) {
  bool acted = port_.begin(inFlight_, now);
  acted |= tickMemory(now);
  return tickNonmem(now) || acted;
}

bool ElasticStages::tickMemory(Cycle now) {
  const std::optional<SubWarp> last = memory_.due(now);
  const bool held = last && !order_.mayLeave(*last);
  const bool acted = memory_.tick(port_, now, held);
  if (last && !memory_.isStalled()) order_.leaves(*last);
  if (!memory_.isFree() || premem_.empty()) return acted;
  memory_.take(premem_.front(), now);
  premem_.pop();
  return true;
}

// The oldest that may be written. One a cycle.
bool ElasticStages::tickNonmem(Cycle now) {
  wrote_ = false;
  const auto oldest = std::find_if(nonmem_.begin(), nonmem_.end(), [&](SubWarp each) { return order_.mayLeave(each); });
  if (oldest == nonmem_.end()) return false;
  if (write(*oldest, now)) nonmem_.erase(oldest);
  return true;
}

bool ElasticStages::write(SubWarp subWarp, Cycle now) {
  if (inFlight_.wantsPort(subWarp) && !port_.take()) return false;
  inFlight_.leaves(subWarp, now, certain_);
  order_.leaves(subWarp);
  wrote_ = true;
  return true;
}

// Bubbles before a sub-warp close: with nothing in the last stage, those before go on.
std::optional<Slot> ElasticStages::refuses(const SubWarp* next, Cycle now) const {
  if (!next) return std::nullopt;
  if (!inFlight_.accessesMemory(*next)) {
    if (nonmem_.size() < nonmemDepth_) return std::nullopt;
    return isBlocked() && memory_.isServing(now) ? Slot::bankConflict : Slot::writeBackConflict;
  }
  if (memory_.isFree() || !premem_.full()) return std::nullopt;
  if (memory_.isServing(now)) return Slot::bankConflict;
  return memory_.isStalled() ? Slot::writeBackConflict : Slot::memoryStructural;
}

bool ElasticStages::isBlocked() const {
  return std::none_of(nonmem_.begin(), nonmem_.end(), [&](SubWarp each) { return order_.mayLeave(each); });
}

void ElasticStages::take(SubWarp subWarp, Cycle now) {
  order_.enters(subWarp);
  if (inFlight_.accessesMemory(subWarp)) return takeMemory(subWarp, now);
  takeNonmem(subWarp, now);
}

void ElasticStages::takeMemory(SubWarp subWarp, Cycle now) {
  if (memory_.isFree()) return memory_.take(subWarp, now);
  premem_.push(subWarp);
  ++statistics_.queuedPremem;
  statistics_.mostPremem.observe(premem_.size());
}

// Nothing that could be written waits in the queue: the last execution stage may do so itself.
void ElasticStages::takeNonmem(SubWarp subWarp, Cycle now) {
  const bool isNext = !wrote_ && isBlocked() && order_.mayLeave(subWarp);
  if (isNext && write(subWarp, now)) {
    ++statistics_.bypassed;
    return;
  }
  nonmem_.push_back(subWarp);
  ++statistics_.queuedNonmem;
  statistics_.mostNonmem.observe(nonmem_.size());
}

void ElasticStages::show(const sm::ShowSubWarp& show, Cycle now) const {
  memory_.forEach(now, [&](SubWarp subWarp, u32 index) { show(subWarp, {Stage::Kind::memory, index}); });
  for (u32 i = 0; i < premem_.size(); ++i) show(premem_[i], {Stage::Kind::premem, i});
  for (u32 i = 0; i < nonmem_.size(); ++i) show(nonmem_[i], {Stage::Kind::nonmem, i});
}

Cycle ElasticStages::nextUseful(Cycle now) const {
  if (port_.isWanted() || !isBlocked()) return now;
  return std::max(now, memory_.nextUseful(now));
}

}  // namespace warpwright::mechanisms::elastic_pipeline
