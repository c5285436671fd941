#include "sm/parts.hpp"

namespace warpwright::sm {

Parts::Parts(const config::Machine& machine)
    : pipeline("the pipeline",
               [&machine](const PipelineContext& context) {
                 return makePipeline(machine, context.loadStore, context.events, context.listener);
               }),
      scheduler("the warp schedulers",
                [&machine](u32 number) {
                  return schedulerList().make(machine.sm.scheduler, {machine, number});
                }),
      arrivals("what responses pass"),
      helpers("what decides about helpers of warps") {}

}  // namespace warpwright::sm
