#include "mechanisms/conflict_aware/settings.hpp"

#include <bit>

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 5> kNamesOf<mechanisms::conflict_aware::Predictor> = {"last_value", "confidence", "mean",
                                                                                                    "two_level", "oracle"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::conflict_aware::Scope> = {"shared", "memory"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::conflict_aware {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    choice<&Settings::predictor>(
        "predictor",
        "How long an access will need the banks: `last_value`, as at the instruction's last execution; `confidence`, the same, but a value "
        "that "
        "proved right is given up only when it was wrong as often, up to three times; `mean`, a running mean with a quarter's weight for "
        "the newest; `two_level`, what followed the instruction's last two values the last time; `oracle`, what it will need, as no "
        "hardware "
        "knows. Default: last_value, section 5.5.1."),
    row<&Settings::sets>("sets", "sets", {0, 65'536},
                         "Of the history cache; a power of two, or 0: it knows nothing, and the scheduler is the machine's own. Default: "
                         "256, section 5.5.4."),
    row<&Settings::ways>("ways", "ways", {1, 64}, "Of the history cache. Default: 2, section 5.5.4."),
    row<&Settings::pcBits>("pc_bits", "bits", {4, 24},
                           "Of an instruction's number: those that differ only beyond share an entry. Default: 14, section 5.5.4."),
    row<&Settings::defaultCycles>("default_cycles", "cycles", {0, 1024},
                                  "Foreseen beyond one a sub-warp for an instruction that the history cache does not know. Default: 0, "
                                  "section 5.5.2."),
    choice<&Settings::letViolateWhenIdle>("let_violate_when_idle",
                                          "Memory instructions issue in spite of the banks when nothing else can. Default: false, section "
                                          "5.6.2 (footnote 12)."),
    choice<&Settings::oneAccessPerWarp>(
        "one_access_per_warp",
        "A warp issues nothing while its own access is in the pipeline and expected to conflict, so that a "
        "relaxed barrel writes back in order (section 5.7). Default: false, not needed by a strict barrel."),
    choice<&Settings::scope>("scope",
                             "`shared`: accesses to shared memory are foreseen; `memory`: all, so that those are avoided too that wait for "
                             "the banks of a first-level cache (outlook of section 5.7). Default: shared."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any& any, const config::Machine& machine) {
  const Settings& settings = *std::any_cast<Settings>(&any);
  if (machine.sm.pipeline != config::Pipeline::inOrder)
    return "sm.pipeline.model must be \"in_order\": other pipelines do not stand still for bank conflicts";
  if (settings.predictor == Predictor::oracle && settings.scope == Scope::memory)
    return "predictor = \"oracle\" needs scope = \"shared\": what an access will need of a cache depends on what hits when it gets there";
  if (settings.sets != 0 && !std::has_single_bit(settings.sets)) return "sets must be a power of two, or 0";
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::conflict_aware
