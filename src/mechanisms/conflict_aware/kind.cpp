#include "mechanisms/conflict_aware/kind.hpp"

#include "mechanisms/conflict_aware/energy_events.hpp"
#include "mechanisms/conflict_aware/scheduler.hpp"
#include "mechanisms/kind_parts.hpp"

namespace warpwright::mechanisms::conflict_aware {
namespace {

constexpr std::string_view kName = "conflict-aware";

class ConflictAwareScheduling final : public CountsBySm<Statistics> {
 public:
  ConflictAwareScheduling(const Settings& settings, const config::Machine& machine)
      : CountsBySm(kCounters), settings_(settings), machine_(machine) {}

  void equip(sm::Parts& parts, SmId) override {
    parts.scheduler.wrap([this, &statistics = addSm()](std::unique_ptr<sm::WarpScheduler> inner, u32) {
      return std::make_unique<ConflictAware>(std::move(inner), settings_, machine_, statistics);
    });
  }

 private:
  const Settings settings_;
  const config::Machine& machine_;
};

}  // namespace

const Kind kConflictAware{
    .description = {.name = kName,
                    .text = "Memory instructions are kept from issuing while an access to shared memory that issued before is expected to "
                            "occupy the banks.",
                    .paper =
                        "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\" (PhD thesis, TU Delft, 2011), section 5.5",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = settingRows(),
                    .problem = problem},
    .make = makeFor<ConflictAwareScheduling, Settings>,
    .counted = [] { return zeroOf<Statistics>(kCounters); },
    .energyEvents = [](const std::any& settings, const config::Machine& machine,
                       const energy::Table& table) { return energyEvents(*std::any_cast<Settings>(&settings), machine, table); },
    .energyPaths = kEnergyPaths,
    .takesRecorded = true,
};

}  // namespace warpwright::mechanisms::conflict_aware
