#include "mechanisms/elastic_mshr/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "base/memory_units.hpp"
#include "mechanisms/granularity_rules.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<mechanisms::elastic_mshr::Choice> = {"fixed", "by_pattern", "predicted"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::elastic_mshr {
namespace {

using config::choice;
using config::row;

constexpr std::array kRows = {
    choice<&Settings::granularity>(
        "granularity",
        "What a load that no load in flight covers asks for: `fixed`, `bytes` for every instruction; `by_pattern`, for each instruction as "
        "much as its access pattern lets the loads of its block use (section 6.3.3); `predicted`, as much as a table in each SM guesses "
        "from "
        "what became of the instruction's loads before, without a compiler. Default: fixed."),
    row<&Settings::bytes>(
        "bytes", "bytes", {kSectorBytes, kLongestLineBytes, true},
        "`fixed`: a normal block (l1d.line_bytes), as without the mechanism, or a hyper block of 64, 128 or 256. Default: "
        "256, the interleaving of the channels (section 6.3.3)."),
    row<&Settings::ways>("ways", "entries", {0, 64},
                         "Of a set of MSHRs; 0: all of them are one set. With several sets a hyper block covers only what lies in the set "
                         "of the load that asked for it. Default: 0, section 6.4.2 (footnote 10)."),
    choice<&Settings::blocksContinueRows>(
        "blocks_continue_rows",
        "`by_pattern`: a load that asks for more than a block must continue in the block of threads beside its own, as line 6 of "
        "algorithm 6.1 says; false: contiguous within the rows of a block of threads is enough, as table 6.4 has both loads of the matrix "
        "product. Default: true."),
    choice<&Settings::skewed>("skewed", kSkewedText),
    choice<&Settings::chooseAtWarpTime>("choose_at_warp_time", kAtWarpTimeText),
    choice<&Settings::privateToo>("private_too", kPrivateTooText),
    row<&Settings::predictorEntries>(
        "predictor_entries", "instructions", {1, 4096},
        "`predicted`: of the table in an SM. Default: 64, more loads than the kernels of most programs have (table 6.4)."),
    choice<&Settings::combineStores>("combine_stores",
                                     "Stores of neighbouring warps go on as one write of the size that their instruction has, which the "
                                     "thesis leaves to others (section "
                                     "7.2); false: each by itself (section 6.4.1, footnote 6). Default: false."),
    row<&Settings::storeEntries>("store_entries", "writes", {1, 64},
                                 "`combine_stores`: writes that are being put together or wait for their acknowledgement. Default: 16, "
                                 "hyper blocks of 256 bytes for "
                                 "a word of each of the 1024 threads of an SM (table 6.2)."),
    row<&Settings::storeWait>(
        "store_wait", "cycles", {1, 1u << 20},
        "`combine_stores`: after which a write goes on as it is. Default: 128, the time in which all warps of an SM issue an instruction "
        "(section 6.3.1)."),
};

}  // namespace

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any& any, const config::Machine& machine) {
  const Settings& settings = *std::any_cast<Settings>(&any);
  const config::Cache& mshrs = machine.l1d;
  if (mshrs.bytes != 0)
    return fmt::format("it keeps data in MSHRs, not in a cache (l1d.bytes = {}), as gt200-granularity does", mshrs.bytes);
  if (mshrs.sectorBytes != mshrs.lineBytes)
    return fmt::format("an MSHR holds a block as a whole: l1d.sector_bytes = {} must be l1d.line_bytes = {}", mshrs.sectorBytes,
                       mshrs.lineBytes);
  if (mshrs.banks != 1) return fmt::format("its MSHRs are not banked (l1d.banks = {})", mshrs.banks);
  if (machine.sm.coalescing != config::Coalescing::subWarpBlocks)
    return "it takes the vectors of sub-warps: sm.memory.coalescing must be \"sub_warp_blocks\"";
  if (settings.ways != 0 && (mshrs.mshrs % settings.ways != 0 || !std::has_single_bit(mshrs.mshrs / settings.ways)))
    return fmt::format("ways = {} does not make a power of two sets of l1d.mshrs = {}", settings.ways, mshrs.mshrs);
  if (settings.granularity == Choice::byPattern) return std::nullopt;
  if (settings.bytes < mshrs.lineBytes || settings.bytes > machine.dram.interleaveBytes)
    return fmt::format("bytes = {} must lie between a block and what lies in one channel (l1d.line_bytes = {}, dram.interleave_bytes = {})",
                       settings.bytes, mshrs.lineBytes, machine.dram.interleaveBytes);
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::elastic_mshr
