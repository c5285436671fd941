#include "mechanisms/many_thread_prefetcher/settings.hpp"

#include <array>

#include "mechanisms/prefetching_stage.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {
namespace {

using config::choice;
using config::row;

// A setting of the tables.
template <auto Member>
constexpr config::Row<Settings> ofTables(std::string_view name, std::string_view unit, config::Range range, std::string_view text) {
  return {name, unit, range, text, [](Settings& settings) { return config::slotOf(settings.tables.*Member); }};
}

constexpr std::array kRows = {
    ofTables<&TableSizes::perWarp>("per_warp_entries", "entries", {1, 4096},
                                   "Of the table of strides by instruction and warp. Default: 32, section 4."),
    ofTables<&TableSizes::global>("global_entries", "entries", {1, 4096},
                                  "Of the table of strides by instruction that several warps share. Default: 8, section 4."),
    ofTables<&TableSizes::interWarp>("inter_warp_entries", "entries", {1, 4096},
                                     "Of the table of strides between warps. Default: 8, section 4."),
    ofTables<&TableSizes::promote>("promote", "warps", {1, 64},
                                   "With the same stride at an instruction, after which it is that of all. Default: 3, section 4."),
    ofTables<&TableSizes::strideBits>("stride_bits", "bits", {8, 48},
                                      "Of a stride in a table, with its sign; longer ones are not prefetched. Default: 20, section 4."),
    row<&Settings::distance>("distance", "strides", {1, 64}, "From a load to the first that is prefetched for it. Default: 1, section 4."),
    row<&Settings::warpDistance>("warp_distance", "warps", {1, 64},
                                 "From a load's warp to the first that is prefetched for. Default: 1, section 4."),
    row<&Settings::degree>("degree", "loads", {0, 16},
                           "One behind the other, that are prefetched for a load; 0: none, the baseline. Default: 1, section 4."),
    row<&Settings::queue>("queue", "lines", {1, 1024},
                          "That may wait for the cache; others are not prefetched. Default: 16, chosen: the lines of four instructions "
                          "with words of 16 bytes."),
    choice<&Settings::throttle>("throttle", "Whether what becomes of prefetches decides how many are sent. Default: true, section 5."),
    row<&Settings::period>("period", "cycles", {1, 1u << 30}, "After which that is judged. Default: 100000, section 5."),
    row<&Settings::firstDegree>("first_degree", "fifths", {0, AdaptiveThrottle::kMostDegree},
                                "Of the predictions that are dropped in the first period. Default: 2, section 5."),
    row<&Settings::earlyHighPermille>("early_high", "lines in a thousand", {0, 1'000'000},
                                      "That left the cache unused, for a thousand that were used, beyond which nothing is prefetched. "
                                      "Default: 20, section 5."),
    row<&Settings::earlyLowPermille>("early_low", "lines in a thousand", {0, 1'000'000},
                                     "The same, beyond which a fifth more is dropped. Default: 10, section 5."),
    row<&Settings::mergeHighPermille>("merge_high", "requests in a thousand", {0, 1000},
                                      "That found their line on its way, of those that did not find it there, beyond which a fifth more is "
                                      "sent, and otherwise a fifth less. Default: 150, section 5."),
};

double share(u32 permille) { return permille / 1000.0; }

}  // namespace

ThrottleSettings Settings::throttling() const {
  return {throttle, period, firstDegree, share(earlyHighPermille), share(earlyLowPermille), share(mergeHighPermille)};
}

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any&, const config::Machine& machine) { return prefetchingProblem(machine); }

}  // namespace warpwright::mechanisms::many_thread_prefetcher
