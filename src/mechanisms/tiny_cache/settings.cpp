#include "mechanisms/tiny_cache/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<mechanisms::tiny_cache::Granularity> = {"byte", "half_word", "word"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::tiny_cache {
namespace {

using config::choice;
using config::row;

// A setting of the detector.
template <auto Member>
constexpr config::Row<Settings> stream(std::string_view name, std::string_view unit, config::Range range, std::string_view text) {
  return {name, unit, range, text, [](Settings& settings) { return config::slotOf(settings.streams.*Member); }};
}

constexpr std::array kRows = {
    choice<&Settings::bypass>(
        "bypass",
        "What goes past the caches: `none` (tCbase), `global` or `shared` accesses (figure 8), `all`, as if there were no caches. Default: "
        "none, section 5.1."),
    row<&Settings::kernels>("kernels", "", {},
                            "The same for some kernels, as \"saxpy=all, convolve=shared\": names as the program or PTX has them. Goes "
                            "before `by_program`. Default: none; section 5.1 picks the best of a program by hand (tCpick)."),
    choice<&Settings::byProgram>(
        "by_program",
        "The same for a kernel for which the program has called cudaFuncSetCacheConfig, unless `bypass` is all: "
        "cudaFuncCachePreferShared takes global accesses past the caches, PreferL1 accesses to shared memory, PreferEqual neither. "
        "Default: true; section 5.1 names a switch like that of Fermi's first-level cache."),
    choice<&Settings::privateToo>("private",
                                  "Private memory is cached, too, unless `all` goes past. Default: false, section 3.1 (spill code is "
                                  "rare)."),
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
    choice<&Settings::detectStreams>("detect_streams",
                                     "Instructions whose lines leave without a second use go past the caches. Default: false; section 5.1 "
                                     "leaves it to future work."),
    stream<&StreamSettings::entries>("stream_entries", "counters", {1, 4096, true},
                                     "`detect_streams`: of an SM, each for the instructions whose places in the code have its number as a "
                                     "remainder. Default: 64, chosen: more loads and stores than the kernels of table 2 have."),
    stream<&StreamSettings::lines>("stream_lines", "lines", {1, 65535},
                                   "`detect_streams`: by which lines that left unused must exceed those that were used for the "
                                   "instruction to go past. Default: 64, chosen: what two executions by whole warps bring."),
    stream<&StreamSettings::probe>("stream_probe", "instructions", {2, 65536},
                                   "`detect_streams`: one in so many of an instruction's executions is cached all the same, so that the "
                                   "end of a stream is seen. Default: 32, chosen: 3 % of what the stream would cost."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

bool Settings::keepsShared() const {
  if (!isPresent()) return false;
  if (!passesShared(bypass) || (byProgram && bypass != Bypass::all)) return true;
  const auto choices = kernelBypasses(kernels);
  return choices && std::any_of(choices->begin(), choices->end(), [](const KernelBypass& each) { return !passesShared(each.bypass); });
}

Bypass Settings::bypassFor(const exec::Launch& launch) const {
  const std::vector<KernelBypass> choices = kernelBypasses(kernels).value_or(std::vector<KernelBypass>{});
  const auto isIt = [&](const KernelBypass& each) { return isOf(each, launch.kernel->name); };
  const auto choice = std::find_if(choices.begin(), choices.end(), isIt);
  if (choice != choices.end()) return choice->bypass;
  if (bypass == Bypass::all || !byProgram) return bypass;
  return askedFor(launch.cachePreference).value_or(bypass);
}

std::optional<std::string> problem(const std::any& any, const config::Machine&) {
  const Settings& settings = *std::any_cast<Settings>(&any);
  if (!kernelBypasses(settings.kernels))
    return fmt::format("kernels = \"{}\" is not written as KERNEL=CHOICE, KERNEL=CHOICE with choices of {}", settings.kernels,
                       fmt::join(config::kNamesOf<Bypass>, ", "));
  if (settings.ways > settings.lines)
    return fmt::format("a set of ways = {} has no room in a cache of lines = {}", settings.ways, settings.lines);
  if (settings.geometry().granules() > Geometry::kMostGranules)
    return fmt::format("a line of line_bytes = {} has at most {} control bits: take a coarser granularity", settings.lineBytes,
                       Geometry::kMostGranules);
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::tiny_cache
