#include "sm/pipeline/booked_pipes.hpp"
#include "sm/pipeline/in_order.hpp"

namespace warpwright::sm {

std::unique_ptr<Pipeline> makePipeline(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events,
                                       PipelineListener* listener) {
  if (machine.sm.pipeline == config::Pipeline::inOrder) return std::make_unique<InOrderPipeline>(machine, loadStore, events, listener);
  return std::make_unique<BookedPipes>(machine, loadStore, events, listener);
}

}  // namespace warpwright::sm
