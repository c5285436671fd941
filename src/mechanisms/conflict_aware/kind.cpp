#include "mechanisms/conflict_aware/kind.hpp"

#include <deque>

#include "mechanisms/conflict_aware/scheduler.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::mechanisms::conflict_aware {
namespace {

constexpr std::string_view kName = "conflict-aware", kCounters = "conflict_aware";

class ConflictAwareScheduling final : public Mechanism {
 public:
  ConflictAwareScheduling(const Settings& settings, const config::Machine& machine) : settings_(settings), machine_(machine) {}

  void equip(sm::Parts& parts, u32) override {
    parts.makeScheduler = [this, &statistics = statistics_.emplace_back(), make = parts.makeScheduler](u32 number) {
      return std::make_unique<ConflictAware>(make(number), settings_, machine_, statistics);
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
    .make = [](const std::any& settings, const config::Machine& machine) -> std::unique_ptr<Mechanism> {
      return std::make_unique<ConflictAwareScheduling>(*std::any_cast<Settings>(&settings), machine);
    },
    .counted =
        [] {
          stats::NamedStatistics result;
          result.add(kCounters, stats::Structure(Statistics{}));
          return result;
        }};

}  // namespace warpwright::mechanisms::conflict_aware
