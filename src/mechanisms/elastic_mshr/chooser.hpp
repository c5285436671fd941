// How many blocks each access of an SM asks for: what the launch's access granularity buffer says, or what a predictor has learnt.
#pragma once

#include <optional>

#include "mechanisms/elastic_mshr/predictor.hpp"
#include "mechanisms/elastic_mshr/settings.hpp"
#include "mechanisms/granularities.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::mechanisms::elastic_mshr {

// From a normal block to what lies in one channel.
compiler::GranularityLimits limitsOf(const config::Machine& machine);
// As the settings say; those that are guessed are normal blocks here.
Granularities granularitiesOf(const exec::LaunchRequest& request, const Settings& settings, const config::Machine& machine);

class Chooser {
 public:
  Chooser(const Settings& settings, const config::Machine& machine);

  // Of an access that no request in flight covers.
  u32 blocksFor(const sm::LineAccess& access);
  // Null: nothing is predicted.
  Predictor* predictor() { return predictor_ ? &*predictor_ : nullptr; }

 private:
  const Granularities* granularitiesOf(const sm::LaunchPlan& plan);

  const u32 blockBytes_;
  const bool storesToo_;
  std::optional<Predictor> predictor_;
  u32 launch_ = mem::Origin::kNoLaunch;
  const Granularities* granularities_ = nullptr;  // of that launch
};

}  // namespace warpwright::mechanisms::elastic_mshr
