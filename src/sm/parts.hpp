// What an SM is put together from where machines differ. The baseline makes each part as the machine describes it; a mechanism puts another
// in its place, or something around it (src/mechanisms/mechanism.hpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/part.hpp"
#include "exec/launch.hpp"
#include "sm/memory_ports.hpp"
#include "sm/pipeline/pipeline.hpp"
#include "sm/schedulers/scheduler.hpp"
#include "sm/shared_link.hpp"

namespace warpwright::sm {

// What a pipeline works with. All outlive it.
struct PipelineContext {
  LoadStoreUnit& loadStore;
  Events& events;
  PipelineListener* listener;  // may be null
};

struct LinkContext {
  L1Cache& cache;  // the first-level data cache behind the link; outlives it
};

struct Parts {
  // As `machine` describes them; it must outlive the parts.
  explicit Parts(const config::Machine& machine);

  Part<Pipeline, const PipelineContext&> pipeline;
  Part<WarpScheduler, u32> scheduler;  // by the scheduler's number
  // Nothing: the load/store unit works on the data cache directly.
  Part<mem::AccessLink, const LinkContext&> link;
  // Nothing: the banks serve every access to shared memory.
  Part<SharedLink> sharedLink;
  // Each makes an observer of the SM's share of a launch, which the SM keeps as long. It hears of an instruction before the pipeline gets
  // it.
  std::vector<std::function<std::unique_ptr<exec::Observer>(const exec::LaunchRequest& request)>> makeObservers;
};

}  // namespace warpwright::sm
