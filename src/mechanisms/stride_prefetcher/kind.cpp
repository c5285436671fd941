#include "mechanisms/stride_prefetcher/kind.hpp"

#include "mechanisms/kind_parts.hpp"
#include "mechanisms/stride_prefetcher/hardware.hpp"
#include "mechanisms/stride_prefetcher/prefetcher.hpp"

namespace warpwright::mechanisms::stride_prefetcher {
namespace {

constexpr std::string_view kName = "stride-prefetcher";

class StridePrefetcher final : public CountsBySm<PrefetchCounts> {
 public:
  StridePrefetcher(const Settings& settings, const config::Machine& machine)
      : CountsBySm(kCounters), settings_(settings), machine_(machine) {}

  void equip(sm::Parts& parts, SmId) override {
    if (!settings_.isPresent()) return;
    PrefetchCounts& counts = addSm();
    parts.laneStages.add(
        [this, &counts](const sm::StageContext& context) { return std::make_unique<Prefetcher>(settings_, machine_, context, counts); });
  }

 private:
  const Settings settings_;
  const config::Machine& machine_;
};

}  // namespace

const Kind kStridePrefetcher{
    .description = {.name = kName,
                    .text =
                        "Loads from global memory whose addresses have a constant stride bring lines that later ones will need into the "
                        "first-level data cache.",
                    .paper = "Chen, Baer, \"Effective Hardware-Based Data Prefetching for High-Performance Processors\", IEEE Transactions "
                             "on Computers 44(5), 1995, section 3",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem},
    .make = makeFor<StridePrefetcher, Settings>,
    .counted = [] { return zeroOf<PrefetchCounts>(kCounters); },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
    .hardware = [](const std::any& settings,
                   const config::Machine& machine) { return hardware(*std::any_cast<Settings>(&settings), machine); },
    .takesRecorded = true,
};

}  // namespace warpwright::mechanisms::stride_prefetcher
