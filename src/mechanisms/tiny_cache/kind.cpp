#include "mechanisms/tiny_cache/kind.hpp"

#include "mechanisms/kind_parts.hpp"
#include "mechanisms/tiny_cache/energy_events.hpp"
#include "mechanisms/tiny_cache/following_pipeline.hpp"
#include "mechanisms/tiny_cache/hardware.hpp"
#include "mechanisms/tiny_cache/stage.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

constexpr std::string_view kName = "tiny-cache";

class TinyCache final : public Mechanism {
 public:
  TinyCache(const Settings& settings, const config::Machine& machine) : settings_(settings), machine_(machine) {}

  void launchBegins(const exec::LaunchRequest& request, sm::LaunchNotes& into) override {
    into.add(Chosen{settings_.bypassFor(*request.launch)});
  }
  void equip(sm::Parts& parts, SmId) override {
    if (!settings_.isPresent()) return;
    OfSm& own = sms_.emplace_back();
    parts.laneStages.add([this, &own](const sm::StageContext& context) {
      auto stage = std::make_unique<Stage>(settings_, machine_, context, own.statistics);
      own.stage.stage = stage.get();
      return stage;
    });
    parts.pipeline.wrap([&own](std::unique_ptr<sm::Pipeline> inner, const sm::PipelineContext&) {
      return std::make_unique<FollowingPipeline>(std::move(inner), own.stage);
    });
  }

  // The first stale word is that of one SM.
  void collect(stats::NamedStatistics& into) const override {
    bool isFirst = true;
    for (const OfSm& each : sms_) {
      Statistics statistics = each.statistics;
      if (!isFirst) statistics.stale = {.words = statistics.stale.words};
      isFirst &= statistics.stale.words == 0;
      into.add(kCounters, stats::Structure(statistics));
    }
  }

 private:
  struct OfSm {
    Statistics statistics;
    StageOfSm stage;
  };

  const Settings settings_;
  const config::Machine& machine_;
  std::deque<OfSm> sms_;
};

}  // namespace

const Kind kTinyCache{
    .description = {.name = kName,
                    .text = "A small incoherent cache in each lane, before the coalescers and shared memory, keeps what the lane reads and "
                            "writes again.",
                    .paper = "Sankaranarayanan, Ardestani, Briz, Renau, \"An Energy Efficient GPGPU Memory Hierarchy with Tiny Incoherent "
                             "Caches\", section 3",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem,
                    .keepsShared = [](const std::any& settings) { return std::any_cast<Settings>(&settings)->keepsShared(); }},
    .make = makeFor<TinyCache, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
    .hardware = [](const std::any& settings,
                   const config::Machine& machine) { return hardware(*std::any_cast<Settings>(&settings), machine); },
};

}  // namespace warpwright::mechanisms::tiny_cache
