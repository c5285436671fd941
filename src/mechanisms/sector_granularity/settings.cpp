#include "mechanisms/sector_granularity/settings.hpp"

#include <fmt/format.h>

#include <array>

#include "base/memory_units.hpp"
#include "mechanisms/granularity_rules.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::sector_granularity::Choice> = {"by_pattern", "fixed"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::sector_granularity {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    choice<&Settings::granularity>("granularity",
                                   "What a load that misses asks for: `by_pattern`, for each instruction as much as its access pattern "
                                   "lets the loads of its block use "
                                   "(Gou, section 6.3.3); `fixed`, `bytes` for every load. Default: by_pattern."),
    row<&Settings::bytes>(
        "bytes", "bytes", {kSectorBytes, kLongestLineBytes, true},
        "`fixed`: from a sector to a line of the first-level data cache. Default: 128, a line of the machines with sectors."),
    choice<&Settings::blocksContinueRows>("blocks_continue_rows",
                                          "`by_pattern`: a load that asks for more than a sector must continue in the block of threads "
                                          "beside its own, as line 6 of algorithm "
                                          "6.1 says; false: contiguous within the rows of a block of threads is enough. Default: true."),
    choice<&Settings::skewed>("skewed", kSkewedText),
    choice<&Settings::chooseAtWarpTime>("choose_at_warp_time", kAtWarpTimeText),
    choice<&Settings::privateToo>("private_too", kPrivateTooText),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any& any, const config::Machine& machine) {
  const Settings& settings = *std::any_cast<Settings>(&any);
  const config::Cache& cache = machine.l1d;
  if (cache.bytes == 0) return "it is for a first-level data cache, which the machine has not (l1d.bytes = 0)";
  if (cache.sectorBytes == cache.lineBytes)
    return fmt::format("the cache fetches lines whole (l1d.sector_bytes = l1d.line_bytes = {}): there is nothing to choose",
                       cache.lineBytes);
  if (settings.granularity == Choice::byPattern) return std::nullopt;
  if (settings.bytes < cache.sectorBytes || settings.bytes > cache.lineBytes)
    return fmt::format("bytes = {} must lie between a sector and a line (l1d.sector_bytes = {}, l1d.line_bytes = {})", settings.bytes,
                       cache.sectorBytes, cache.lineBytes);
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::sector_granularity
