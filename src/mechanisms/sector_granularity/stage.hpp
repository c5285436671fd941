// Loads on their way to the first-level data cache are told which sectors of their line to fetch along.
#pragma once

#include "mechanisms/granularities.hpp"
#include "mechanisms/sector_granularity/statistics.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::mechanisms::sector_granularity {

// What the SMs know of a launch.
struct Notes {
  Granularities loads;
};

// The sectors of the blocks of `bytes` in which some of `sectors` lie, without these.
u32 sectorsBeside(u32 sectors, u32 bytes, u32 lineBytes);

class Stage final : public sm::LineStage {
 public:
  Stage(const sm::StageContext& context, Statistics& statistics) : below_(context.below), stats_(statistics) {}

  bool takes(const sm::LineAccess& access) const override;
  bool canAccept(const sm::LineAccess& access) const override { return below_.canAccept(access); }
  void accept(const sm::LineAccess& access, Cycle now) override;

 private:
  u32 bytesOf(const sm::LineAccess& access);

  sm::StagesBelow& below_;
  Statistics& stats_;
  u32 launch_ = mem::Origin::kNoLaunch;
  const Notes* notes_ = nullptr;  // of that launch
};

}  // namespace warpwright::mechanisms::sector_granularity
