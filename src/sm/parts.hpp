// What an SM is put together from where machines differ. The baseline makes each part as the machine describes it; a mechanism puts another
// in its place (src/mechanisms/mechanism.hpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

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
  std::function<std::unique_ptr<Pipeline>(const PipelineContext& context)> makePipeline;
  std::function<std::unique_ptr<WarpScheduler>(u32 scheduler)> makeScheduler;
  // Empty: the load/store unit works on the data cache directly.
  std::function<std::unique_ptr<mem::AccessLink>(const LinkContext& context)> makeLink;
  // Empty: the banks serve every access to shared memory.
  std::function<std::unique_ptr<SharedLink>()> makeSharedLink;
  // Each makes an observer of the SM's share of a launch, which the SM keeps as long. It hears of an instruction before the pipeline gets
  // it.
  std::vector<std::function<std::unique_ptr<exec::Observer>(const exec::LaunchRequest& request)>> makeObservers;
};

// As `machine` describes them; it must outlive the parts.
Parts baselineParts(const config::Machine& machine);

}  // namespace warpwright::sm
