// A mechanism with settings of every type, which counts machines, and a replacement policy. What it brings and how is told by COUNTING_AS,
// for each way to be wrong.
#include <cstdlib>
#include <warpwright/plugin.hpp>

namespace counting {

enum class Mood : warpwright::u8 { calm, wild };

struct Settings {
  warpwright::u32 step = 3;
  bool fails = false;
  Mood mood = Mood::calm;
};

struct Counters {
  warpwright::u64 machines = 0, steps = 0;
  static constexpr void fields(auto&& field) {
    field("machines", "machines", "that were made", &Counters::machines);
    field("steps", "steps", "of all of them", &Counters::steps);
  }
  static constexpr void figures(auto&& figure) {
    figure("mean", "steps", "of a machine", [](const Counters& c) { return warpwright::stats::ratio(c.steps, c.machines); });
  }
};

}  // namespace counting

template <>
inline constexpr std::array<std::string_view, 2> warpwright::config::kNamesOf<counting::Mood> = {"calm", "wild"};

namespace counting {

using namespace warpwright;

inline constexpr std::array kRows = {
    config::row<&Settings::step>("step", "steps", {1, 100}, "Of a machine. Default: 3, chosen."),
    config::choice<&Settings::fails>("fails", "Making it fails. Default: false, chosen."),
    config::choice<&Settings::mood>("mood", "Default: calm, chosen."),
};

class Counts final : public mechanisms::Mechanism {
 public:
  Counts(const Settings& settings, const config::Machine& machine) {
    if (settings.fails) throw Error("told to fail on " + machine.name, {"counting", 7, 0}, "do not tell it to");
    counters_ = {1, settings.step};
  }
  void collect(stats::NamedStatistics& into) const override { into.add("counting", stats::Structure(counters_)); }

 private:
  Counters counters_;
};

inline mechanisms::Kind kindCalled(std::string_view name) {
  return {.description = {.name = name,
                          .text = "Counts machines.",
                          .paper = "none",
                          .defaults = Settings{},
                          .settings = config::settingsOf<Settings>(kRows),
                          .problem = [](const std::any& settings, const config::Machine&) -> std::optional<std::string> {
                            if (std::any_cast<Settings>(&settings)->step == 13) return "13 is no step";
                            return std::nullopt;
                          }},
          .make = mechanisms::makeFor<Counts, Settings>,
          .counted = [] { return mechanisms::zeroOf<Counters>("counting"); }};
}

}  // namespace counting

namespace {

using namespace warpwright;

struct HighestSettings {
  u32 from = 0;
};
std::span<const config::Row<HighestSettings>> highestRows() {
  static constexpr std::array kHighestRows = {config::row<&HighestSettings::from>("from", "ways", {0, 64}, "Ignored. Default: 0, chosen.")};
  return kHighestRows;
}

// The candidate with the highest number.
class Highest final : public mem::Replacement {
 public:
  void touched(u32, u32, const mem::Request&, bool) override {}
  void installed(u32, u32, const mem::Request&) override {}
  u32 victim(u32, mem::WaySet candidates) const override { return candidates.greatest(); }
};

constexpr mem::ReplacementEntry highestCalled(std::string_view name) {
  return {{.name = name,
           .text = "The line in the last way.",
           .source = "none",
           .defaults = config::policyDefaults<HighestSettings>,
           .settings = config::policySettings<HighestSettings, highestRows>},
          [](const std::any& settings, const mem::ReplacementContext&) -> std::unique_ptr<mem::Replacement> {
            if (std::any_cast<const HighestSettings&>(settings).from == 64) throw Error("64 is too far", {}, "take less");
            return std::make_unique<Highest>();
          }};
}
constexpr mem::ReplacementEntry kHighest = highestCalled("highest"), kLruAgain = highestCalled("lru"), kUnnamed = highestCalled("no-name");

const mechanisms::Kind kKind = counting::kindCalled("counting"), kOther = counting::kindCalled("other"), kAvc = counting::kindCalled("avc");

void registerKinds(plugins::Registrar& to) {
  const char* given = std::getenv("COUNTING_AS");
  const std::string as = given ? given : "";
  if (as == "failure") throw Error("not today", {}, "come back tomorrow");
  to.add(as == "avc" ? kAvc : kKind);
  if (as == "two") to.add(kOther);
  if (as == "lru") to.add(kLruAgain);
  if (as == "no-name") to.add(kUnnamed);
  to.add(kHighest);
  if (as == "twice") to.add(kHighest);
}

}  // namespace

WARPWRIGHT_PLUGIN("counting", "1.2", registerKinds)
