#include "mechanisms/sector_granularity/kind.hpp"

#include "mechanisms/kind_parts.hpp"
#include "mechanisms/sector_granularity/settings.hpp"
#include "mechanisms/sector_granularity/stage.hpp"

namespace warpwright::mechanisms::sector_granularity {
namespace {

constexpr const compiler::AnalysisKind* kAnalyses[] = {&compiler::kAccessPatterns};
constexpr std::string_view kName = "sector-granularity", kCounters = "sector_granularity";

class SectorGranularity final : public CountsBySm<Statistics> {
 public:
  SectorGranularity(const Settings& settings, const config::Machine& machine)
      : CountsBySm(kCounters), settings_(settings), limits_{machine.l1d.sectorBytes, machine.l1d.lineBytes} {}

  void launchBegins(const exec::LaunchRequest& request, sm::LaunchNotes& into) override {
    if (settings_.granularity == Choice::fixed) return into.add(Notes{fixedGranularities(request, settings_.bytes, limits_)});
    into.add(Notes{patternGranularities(
        request, limits_,
        {.blocksContinueRows = settings_.blocksContinueRows, .skewed = settings_.skewed, .privateToo = settings_.privateToo},
        settings_.chooseAtWarpTime)});
  }
  void equip(sm::Parts& parts, SmId) override {
    Statistics& statistics = addSm();
    parts.lineStages.add([&statistics](const sm::StageContext& context) { return std::make_unique<Stage>(context, statistics); });
  }

 private:
  const Settings settings_;
  const compiler::GranularityLimits limits_;
};

}  // namespace

const Kind kSectorGranularity{
    .description = {.name = kName,
                    .text =
                        "Loads that miss in a first-level data cache of sectors ask for those sectors of the line, too, which the loads of "
                        "their block will use, as access patterns tell.",
                    .paper =
                        "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\" (PhD thesis, TU Delft, 2011), section 6.6.2",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem},
    .make = makeFor<SectorGranularity, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .analyses = kAnalyses,
};

}  // namespace warpwright::mechanisms::sector_granularity
