#include "mechanisms/elastic_mshr/chooser.hpp"

#include <algorithm>

#include "sm/launch_plan.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

// Of the grid, by its number.
Dim3 placeOf(u32 block, const Dim3& grid) { return {block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y}; }

}  // namespace

Chooser::Chooser(const Settings& settings, const config::Machine& machine)
    : blockBytes_(machine.l1d.lineBytes), storesToo_(settings.combineStores) {
  if (settings.granularity != Choice::predicted) return;
  predictor_.emplace(settings.predictorEntries, std::min(kLongestLineBytes, machine.dram.interleaveBytes) / blockBytes_);
}

// Launches may take turns, but rarely do.
const Granularities* Chooser::granularitiesOf(const sm::LaunchPlan& plan) {
  if (plan.id != launch_) {
    launch_ = plan.id;
    granularities_ = plan.notes.find<Granularities>();
  }
  return granularities_;
}

u32 Chooser::blocksFor(const sm::LineAccess& access) {
  const bool isStore = mem::isWrite(access.request.type);
  const mem::Origin& origin = access.request.origin;
  if (access.plan == nullptr || (isStore && !storesToo_)) return 1;
  if (predictor_) return isStore ? 1 : predictor_->blocksFor(origin.pc);
  const Granularities* granularities = granularitiesOf(*access.plan);
  if (granularities == nullptr) return 1;
  const Dim3 block = placeOf(origin.block, access.plan->request.launch->grid);
  return granularities->bytesOf(origin.pc, access.request.address, blockBytes_, block) / blockBytes_;
}

}  // namespace warpwright::mechanisms::elastic_mshr
