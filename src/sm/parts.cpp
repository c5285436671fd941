#include "sm/parts.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace warpwright::sm {

void refuseReplacement(std::string_view part, std::string_view first, std::string_view second) {
  throw Error(fmt::format("the mechanisms '{}' and '{}' both replace {} of an SM", first, second, part), {}, "leave one of them out");
}

Parts::Parts(const config::Machine& machine)
    : pipeline("the pipeline",
               [&machine](const PipelineContext& context) {
                 return makePipeline(machine, context.loadStore, context.events, context.listener);
               }),
      scheduler("the warp schedulers",
                [&machine](u32 number) {
                  return schedulerList().make(machine.sm.scheduler, {machine, number});
                }),
      helpers("what decides about helpers of warps") {}

}  // namespace warpwright::sm
