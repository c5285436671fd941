// The plug-in: the mechanism `next-line`, its settings and what it counts.
#include "prefetcher.hpp"

template <>
inline constexpr std::array<std::string_view, 2> warpwright::config::kNamesOf<next_line::Trigger> = {"miss", "access"};

namespace next_line {
namespace {

constexpr const char* kCounters = "next_line";

constexpr std::array kRows = {
    config::row<&Settings::degree>("degree", "lines", {0, 8},
                                   "That are prefetched behind the one that is read; 0: none, the baseline. Default: 1, Smith 1982."),
    config::choice<&Settings::trigger>("trigger",
                                       "`miss`: a read whose line is neither there nor on its way; `access`: every read. Default: miss, "
                                       "\"prefetch on miss\" of Smith 1982."),
};

class NextLine final : public mechanisms::CountsBySm<Counters> {
 public:
  NextLine(const Settings& settings, const config::Machine& machine)
      : CountsBySm(kCounters), settings_(settings), lineBytes_(machine.l1d.lineBytes) {}

  void equip(sm::Parts& parts, SmId) override {
    parts.lineStages.add(
        [this](const sm::StageContext& context) { return std::make_unique<Prefetcher>(settings_, lineBytes_, addSm(), context); });
  }

 private:
  Settings settings_;
  u32 lineBytes_;
};

std::optional<std::string> problem(const std::any&, const config::Machine& machine) {
  if (machine.l1d.bytes == 0) return "the machine has no first-level data cache (l1d.bytes = 0) to prefetch into";
  return std::nullopt;
}

const mechanisms::Kind kNextLine{
    .description = {.name = "next-line",
                    .text = "Prefetches the lines behind the one that is read into the first-level data cache.",
                    .paper = "Smith, \"Cache Memories\", ACM Computing Surveys 14(3), 1982, section 2.1",
                    .timed = true,
                    .defaults = Settings{},
                    .settings = config::settingsOf<Settings>(kRows),
                    .problem = problem},
    .make = mechanisms::makeFor<NextLine, Settings>,
    .counted = [] { return mechanisms::zeroOf<Counters>(kCounters); },
};

}  // namespace
}  // namespace next_line

WARPWRIGHT_PLUGIN("next-line-prefetcher", "1.0", [](warpwright::plugins::Registrar& to) { to.add(next_line::kNextLine); })
