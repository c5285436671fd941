#include "mechanisms/memoisation/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <regex>

#include "base/error.hpp"
#include "mechanisms/kernel_names.hpp"
#include "mechanisms/memoisation/table.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::memoisation::Tags> = {"full", "hashed"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::memoisation::Replacement> = {"newest", "first"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::memoisation {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    choice<&Settings::found>("found",
                             "Whether the compiler looks for regions in kernels of which nobody says where they are. Default: true."),
    row<&Settings::leastWork>(
        "least_work", "instructions", {1, 100000},
        "Of a region that the compiler finds; a division, a root, a transcendental function, and what is of 64 bits "
        "and floating, count as eight, as a warp occupies the four special-function units of a Fermi SM for eight cycles. "
        "Default: 64, chosen: about twice what the routine for a look-up executes."),
    row<&Settings::lines>(
        "lines", "", {},
        "Whose instructions are regions, of the source, or of the PTX where that is unknown: FILE:FIRST-LAST or FIRST-LAST, "
        "several separated by commas. In their kernels the compiler looks for no others. Default: none."),
    row<&Settings::kernels>("kernels", "", {},
                            "Which are memoised, by their names in the PTX or the source, separated by commas. Default: all."),
    row<&Settings::tableBytes>("table_bytes", "bytes", {16, 32768, true},
                               "Of shared memory, for each region and block: its look-up table. Default: 4096, chosen: a twelfth of what a "
                               "Fermi SM has."),
    row<&Settings::ways>("ways", "ways", {1, 8, true}, "Of the table. Default: 1, chosen: more make the routines longer."),
    choice<&Settings::replacement>("replacement",
                                   "What a new result takes in a set without room: newest, the place of another, in a way that the clock "
                                   "chooses; first, none. Default: newest, chosen."),
    choice<&Settings::tags>(
        "tags",
        "What tells inputs apart: full, all their bits; hashed, 32 bits made of them, which gives other inputs' results "
        "where two have the same. Default: full: results are those of the program, bit by bit."),
    row<&Settings::roundBits>(
        "round_bits", "bits", {0, 22},
        "Of the mantissas of single-precision inputs, that do not tell them apart: results are those of the first that "
        "came. Default: 0: results are those of the program, bit by bit."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any& any, const config::Machine&) {
  const auto& settings = *std::any_cast<Settings>(&any);
  const u32 least = kMostChunks * kChunkBytes * settings.ways;
  if (settings.tableBytes < least)
    return fmt::format("a set of {} ways takes up to {} bytes, and mechanism.memoisation.table_bytes is {}", settings.ways, least,
                       settings.tableBytes);
  return std::nullopt;
}

std::vector<compiler::LineRange> linesIn(const std::string& text) {
  std::vector<compiler::LineRange> ranges;
  static const std::regex kRange("(?:(.+):)?([0-9]{1,9})(?:-([0-9]{1,9}))?");
  for (const std::string& part : namesIn(text)) {
    std::smatch match;
    if (!std::regex_match(part, match, kRange))
      throw Error(fmt::format("mechanism.memoisation.lines: '{}' names no lines", part), {}, "write FILE:FIRST-LAST, or FIRST-LAST");
    const u32 first = static_cast<u32>(std::stoul(match[2])), last = match[3].matched ? static_cast<u32>(std::stoul(match[3])) : first;
    ranges.push_back({match[1], first, last});
  }
  return ranges;
}

}  // namespace warpwright::mechanisms::memoisation
