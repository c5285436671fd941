#include "mechanisms/stride_prefetcher/settings.hpp"

#include <array>

#include "mechanisms/prefetching_stage.hpp"
#include "mechanisms/stride_prefetcher/stride_table.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<mechanisms::stride_prefetcher::Index> = {"pc", "warp", "pc_and_warp"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::stride_prefetcher {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    choice<&Settings::index>("index",
                             "Whose loads have an entry together: `pc`, those of an instruction by all warps, as a processor of one "
                             "thread has it; `warp`, all of a warp; `pc_and_warp`, those of an instruction by a warp. Default: "
                             "pc_and_warp, Lee and others, \"Many-Thread Aware Prefetching Mechanisms for GPGPU Applications\" (MICRO "
                             "2010): without the warp, the order in which warps come hides their strides."),
    row<&Settings::entries>("entries", "entries", {1, 65'536}, "Of the table. Default: 512, Chen and Baer 1995, section 5."),
    row<&Settings::confidence>("confidence", "accesses", {1, StrideTable::kMostConfidence},
                               "With a stride that was right, before it predicts. Default: 2, chosen: two steps in a row."),
    row<&Settings::distance>("distance", "strides", {1, 64},
                             "From a load to the first that is prefetched for it. Default: 1, Chen and Baer 1995, section 3: the next."),
    row<&Settings::degree>("degree", "loads", {0, 16},
                           "One behind the other, that are prefetched for a load; 0: none, the baseline. Default: 1, Chen and Baer 1995."),
    row<&Settings::queue>("queue", "lines", {1, 1024},
                          "That may wait for the cache; others are not prefetched. Default: 16, chosen: the lines of four instructions "
                          "with words of 16 bytes."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any&, const config::Machine& machine) { return prefetchingProblem(machine); }

}  // namespace warpwright::mechanisms::stride_prefetcher
