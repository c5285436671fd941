#include "mechanisms/elastic_mshr/chooser.hpp"

#include <algorithm>

#include "sm/launch_plan.hpp"

namespace warpwright::mechanisms::elastic_mshr {

compiler::GranularityLimits limitsOf(const config::Machine& machine) {
  return {machine.l1d.lineBytes, std::min(kLongestLineBytes, machine.dram.interleaveBytes)};
}

Granularities granularitiesOf(const exec::LaunchRequest& request, const Settings& settings, const config::Machine& machine) {
  const compiler::GranularityLimits limits = limitsOf(machine);
  if (settings.granularity == Choice::byPattern)
    return patternGranularities(
        request, limits, {.blocksContinueRows = settings.blocksContinueRows, .skewed = settings.skewed, .privateToo = settings.privateToo},
        settings.chooseAtWarpTime);
  return fixedGranularities(request, settings.granularity == Choice::fixed ? settings.bytes : limits.least, limits);
}

Chooser::Chooser(const Settings& settings, const config::Machine& machine)
    : blockBytes_(machine.l1d.lineBytes), storesToo_(settings.combineStores) {
  if (settings.granularity != Choice::predicted) return;
  predictor_.emplace(settings.predictorEntries, limitsOf(machine).most / blockBytes_);
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
  return granularities->bytesOf(origin, access.request.address, blockBytes_, access.plan->request.launch->grid) / blockBytes_;
}

}  // namespace warpwright::mechanisms::elastic_mshr
