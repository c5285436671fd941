#include "mechanisms/elastic_pipeline/kind.hpp"

#include "mechanisms/elastic_pipeline/energy_events.hpp"
#include "mechanisms/elastic_pipeline/stages.hpp"
#include "mechanisms/kind_parts.hpp"
#include "sm/pipeline/in_order.hpp"

namespace warpwright::mechanisms::elastic_pipeline {
namespace {

constexpr std::string_view kName = "elastic-pipeline";

class ElasticPipeline final : public CountsBySm<Statistics> {
 public:
  ElasticPipeline(const Settings& settings, const config::Machine& machine)
      : CountsBySm(kCounters), settings_(settings), machine_(machine) {}

  void equip(sm::Parts& parts, SmId) override {
    if (depthsOf(settings_, machine_).nonmem == 0) return;
    Statistics& statistics = addSm();
    parts.pipeline.replace(kName, [this, &statistics](const sm::PipelineContext& context) -> std::unique_ptr<sm::Pipeline> {
      return std::make_unique<sm::InOrderPipeline>(machine_, context.loadStore, context.events, context.listener,
                                                   [this, &statistics](const sm::StagesContext& stages) {
                                                     return std::make_unique<ElasticStages>(machine_, settings_, stages, statistics);
                                                   });
    });
  }

 private:
  const Settings settings_;
  const config::Machine& machine_;
};

}  // namespace

const Kind kElasticPipeline{
    .description = {.name = kName,
                    .text =
                        "Bank conflicts of shared memory hold back only what needs the banks: an in-order pipeline in which instructions "
                        "without memory access go past the memory stages, and are written back when there is room.",
                    .paper =
                        "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\" (PhD thesis, TU Delft, 2011), section 5.4",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem},
    .make = makeFor<ElasticPipeline, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
    .takesRecorded = true,
};

}  // namespace warpwright::mechanisms::elastic_pipeline
