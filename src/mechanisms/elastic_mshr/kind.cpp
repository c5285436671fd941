#include "mechanisms/elastic_mshr/kind.hpp"

#include "mechanisms/elastic_mshr/energy_events.hpp"
#include "mechanisms/elastic_mshr/stage.hpp"
#include "mechanisms/kind_parts.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

constexpr const compiler::AnalysisKind* kAnalyses[] = {&compiler::kAccessPatterns};
constexpr std::string_view kName = "elastic-mshr";

class ElasticMshr final : public CountsBySm<Statistics> {
 public:
  ElasticMshr(const Settings& settings, const config::Machine& machine) : CountsBySm(kCounters), settings_(settings), machine_(machine) {}

  void launchBegins(const exec::LaunchRequest& request, sm::LaunchNotes& into) override {
    into.add(granularitiesOf(request, settings_, machine_));
  }
  void equip(sm::Parts& parts, SmId) override {
    Statistics& statistics = addSm();
    parts.lineStages.add([this, &statistics](const sm::StageContext&) { return std::make_unique<Stage>(settings_, machine_, statistics); });
  }

 private:
  const Settings settings_;
  const config::Machine& machine_;
};

}  // namespace

const Kind kElasticMshr{
    .description = {.name = kName,
                    .text =
                        "Loads of neighbouring warps share requests: MSHRs ask for hyper blocks of up to 256 bytes, and keep of them what "
                        "other loads have reserved by the time they come.",
                    .paper =
                        "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\" (PhD thesis, TU Delft, 2011), section 6.4",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem},
    .make = makeFor<ElasticMshr, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .analyses = kAnalyses,
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
};

}  // namespace warpwright::mechanisms::elastic_mshr
