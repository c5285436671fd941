#include "sm/parts.hpp"

namespace warpwright::sm {

Parts baselineParts(const config::Machine& machine) {
  Parts parts;
  parts.makePipeline = [&machine](const PipelineContext& context) {
    return sm::makePipeline(machine, context.loadStore, context.events, context.listener);
  };
  parts.makeScheduler = [&machine](u32) { return sm::makeScheduler(machine.sm); };
  return parts;
}

}  // namespace warpwright::sm
