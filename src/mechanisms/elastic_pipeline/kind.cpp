#include "mechanisms/elastic_pipeline/kind.hpp"

#include <deque>

#include "mechanisms/elastic_pipeline/stages.hpp"
#include "sm/pipeline/in_order.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::mechanisms::elastic_pipeline {
namespace {

constexpr std::string_view kName = "elastic-pipeline", kCounters = "elastic_pipeline";

class ElasticPipeline final : public Mechanism {
 public:
  ElasticPipeline(const Settings& settings, const config::Machine& machine) : settings_(settings), machine_(machine) {}

  void equip(sm::Parts& parts, u32) override {
    if (depthsOf(settings_, machine_).nonmem == 0) return;
    Statistics& statistics = statistics_.emplace_back();
    parts.makePipeline = [this, &statistics](const sm::PipelineContext& context) -> std::unique_ptr<sm::Pipeline> {
      return std::make_unique<sm::InOrderPipeline>(machine_, context.loadStore, context.events, context.listener,
                                                   [this, &statistics](const sm::StagesContext& stages) {
                                                     return std::make_unique<ElasticStages>(machine_, settings_, stages, statistics);
                                                   });
    };
  }
  void collect(stats::NamedStatistics& into) const override {
    for (const Statistics& each : statistics_) into.add(kCounters, stats::Structure(each));
  }

 private:
  const Settings settings_;
  const config::Machine& machine_;
  std::deque<Statistics> statistics_;  // by SM
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
    .make = [](const std::any& settings, const config::Machine& machine) -> std::unique_ptr<Mechanism> {
      return std::make_unique<ElasticPipeline>(*std::any_cast<Settings>(&settings), machine);
    },
    .counted =
        [] {
          stats::NamedStatistics result;
          result.add(kCounters, stats::Structure(Statistics{}));
          return result;
        }};

}  // namespace warpwright::mechanisms::elastic_pipeline
