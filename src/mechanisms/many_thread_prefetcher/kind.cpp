#include "mechanisms/many_thread_prefetcher/kind.hpp"

#include "mechanisms/kind_parts.hpp"
#include "mechanisms/many_thread_prefetcher/hardware.hpp"
#include "mechanisms/many_thread_prefetcher/prefetcher.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {
namespace {

constexpr std::string_view kName = "many-thread-prefetcher";

class ManyThreadPrefetcher final : public CountsBySm<Statistics> {
 public:
  ManyThreadPrefetcher(const Settings& settings, const config::Machine& machine)
      : CountsBySm(kCounters), settings_(settings), machine_(machine) {}

  void equip(sm::Parts& parts, SmId) override {
    if (!settings_.isPresent()) return;
    Statistics& statistics = addSm();
    parts.laneStages.add([this, &statistics](const sm::StageContext& context) {
      return std::make_unique<Prefetcher>(settings_, machine_, context, statistics);
    });
  }

 private:
  const Settings settings_;
  const config::Machine& machine_;
};

}  // namespace

const Kind kManyThreadPrefetcher{
    .description = {.name = kName,
                    .text =
                        "Loads from global memory bring lines that later ones of their warp, or those of other warps, will need into the "
                        "first-level data cache, by strides within warps and between them, as long as it pays.",
                    .paper = "Lee, Lakshminarayana, Kim, Vuduc, \"Many-Thread Aware Prefetching Mechanisms for GPGPU Applications\" "
                             "(MICRO 2010), sections 4 and 5 (MT-HWP)",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem},
    .make = makeFor<ManyThreadPrefetcher, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
    .hardware = [](const std::any& settings,
                   const config::Machine& machine) { return hardware(*std::any_cast<Settings>(&settings), machine); },
    .takesRecorded = true,
};

}  // namespace warpwright::mechanisms::many_thread_prefetcher
