#include "sm/parts.hpp"

namespace warpwright::sm {

Parts::Parts(const config::Machine& machine)
    : pipeline("the pipeline",
               [&machine](const PipelineContext& context) {
                 return makePipeline(machine, context.loadStore, context.events, context.listener);
               }),
      scheduler("the warp schedulers", [&machine](u32) { return makeScheduler(machine.sm); }),
      link("what stands before the first-level data cache"),
      sharedLink("what stands before shared memory") {}

}  // namespace warpwright::sm
