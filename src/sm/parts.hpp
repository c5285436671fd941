// What an SM is put together from where machines differ. The baseline makes each part as the machine describes it; a mechanism puts another
// in its place, or something around it (src/mechanisms/mechanism.hpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/part.hpp"
#include "exec/launch.hpp"
#include "sm/assistance.hpp"
#include "sm/helpers.hpp"
#include "sm/memory_ports.hpp"
#include "sm/pipeline/pipeline.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

// What a pipeline works with. All outlive it.
struct PipelineContext {
  LoadStoreUnit& loadStore;
  Events& events;
  PipelineListener* listener;  // may be null
};

struct HelperContext {
  HelperControl& control;  // outlives the part
};

struct Parts {
  // As `machine` describes them; it must outlive the parts.
  explicit Parts(const config::Machine& machine);

  Part<Pipeline, const PipelineContext&> pipeline;
  Part<WarpScheduler, u32> scheduler;  // by the scheduler's number
  // On the way of data accesses, before the banks and coalescers and behind them (sm/access/stage.hpp). The baseline adds none.
  StageList<LaneStage> laneStages;
  StageList<LineStage> lineStages;
  // Nothing: responses of the network come to whoever asked at once (sm/ports/arrival_stage.hpp).
  Part<ArrivalStage> arrivals;
  // Nothing: no warp has helpers.
  Part<Helpers, const HelperContext&> helpers;
  // Of this SM: for a mechanism's parts that want routines to run, and for the one that runs them.
  std::shared_ptr<AssistanceLink> assistance = std::make_shared<AssistanceLink>();
  // Each makes an observer of the SM's share of a launch, which the SM keeps as long. It hears of an instruction before the pipeline gets
  // it.
  std::vector<std::function<std::unique_ptr<exec::Observer>(const exec::LaunchRequest& request)>> makeObservers;
};

}  // namespace warpwright::sm
