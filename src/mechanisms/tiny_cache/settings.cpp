#include "mechanisms/tiny_cache/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 4> kNamesOf<mechanisms::tiny_cache::Bypass> = {"none", "global", "shared", "all"};
template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<mechanisms::tiny_cache::Granularity> = {"byte", "half_word", "word"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::tiny_cache {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    choice<&Settings::bypass>(
        "bypass",
        "What goes past the caches: `none` (tCbase), `global` or `shared` accesses (figure 8), `all`, as if there were no caches. Default: "
        "none, section 5.1."),
    row<&Settings::lines>("lines", "lines", {1, 1024, true}, "Of the cache of a lane. Default: 16, section 5.2."),
    row<&Settings::ways>("ways", "lines", {1, 64, true}, "Of a set, of which the one that was used longest ago goes. Default: 8, table 1."),
    row<&Settings::lineBytes>("line_bytes", "bytes", {16, Geometry::kMostLineBytes, true}, "Default: 64, section 5.2."),
    choice<&Settings::granularity>(
        "granularity",
        "What has a control bit: `byte`, `half_word`, `word`. Stores of less go past the caches. Default: half_word, section 3."),
    row<&Settings::latency>("latency", "cycles", {1, 100}, "Of a hit, and of the look-up before what misses goes on. Default: 1, table 1."),
    row<&Settings::queue>(
        "queue", "requests", {1, 4096},
        "To the first-level cache that wait; when there are more no access begins. Default: 32, chosen: a request a lane."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any& any, const config::Machine&) {
  const Settings& settings = *std::any_cast<Settings>(&any);
  if (settings.ways > settings.lines)
    return fmt::format("a set of ways = {} has no room in a cache of lines = {}", settings.ways, settings.lines);
  if (settings.geometry().granules() > Geometry::kMostGranules)
    return fmt::format("a line of line_bytes = {} has at most {} control bits: take a coarser granularity", settings.lineBytes,
                       Geometry::kMostGranules);
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::tiny_cache
