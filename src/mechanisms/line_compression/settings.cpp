#include "mechanisms/line_compression/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "mechanisms/line_compression/metadata.hpp"
#include "mem/cache/placement.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::line_compression::Reach> = {"memory", "network"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::line_compression::By> = {"hardware", "routines"};
template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<mechanisms::line_compression::StoreBuffer> = {"shared", "l1", "own"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::line_compression::BdiOrder> = {"smallest", "last"};
template <>
inline constexpr std::array<std::string_view, 3> kNamesOf<mechanisms::line_compression::FirstLevel> = {"whole", "compressed", "direct"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::line_compression::SecondLevel> = {"compressed", "whole"};
template <>
inline constexpr std::array<std::string_view, 4> kNamesOf<mechanisms::line_compression::Choice> = {"bdi", "fpc", "c_pack", "best"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::line_compression {
namespace {

using config::choice;
using config::row;

u32 setsOfStoreBuffer(const Settings& settings, const config::Cache& levelOne) {
  return (settings.smEntries + levelOne.ways - 1) / levelOne.ways;
}

constexpr std::array kRows = {
    choice<&Settings::reach>(
        "reach",
        "Where lines are compressed: `memory`, in DRAM, by each memory partition (HW-BDI-Mem of section 6); `network`, in DRAM, L2 and the "
        "networks, by each SM, whose first-level cache has them whole (HW-BDI). Default: memory."),
    choice<&Settings::codec>(
        "codec",
        "`bdi`, `fpc` or `c_pack` (section 5.1), or for each line the one of them that makes it smallest, `best` (section 7.3). Default: "
        "bdi, section 6."),
    choice<&Settings::by>(
        "by",
        "`network`: who compresses in SMs and makes lines whole: `hardware`, or `routines` that run beside the warps (CABA, "
        "section 5.2), for which the machine needs assist warps. Default: hardware."),
    choice<&Settings::bdiOrder>(
        "bdi_order",
        "`routines`: the encoding that BDI takes: `smallest`, of all that are tried the one that makes a line smallest; `last`, the one "
        "that "
        "made a line of the SM smaller last, if it fits this one, and no other is tried (section 5.1.2). Hardware tries all at once. "
        "Default: smallest; the paper does not say how it finds the one that often suffices."),
    row<&Settings::fpcSegmentWords>("fpc_segment_words", "words of 32 bits", {4, 32, true},
                                    "Of a segment, for which FPC has one pattern; a line of 64 bytes has 16 at most. Default: 8, chosen: "
                                    "four segments a line of 128 bytes; section 5.1.4 gives no number."),
    choice<&Settings::cPackZeroInDictionary>(
        "c_pack_zero_in_dictionary",
        "Zero is one of the four values that C-Pack's dictionary has at most, as in algorithm 6; false: there are four others, as words "
        "that "
        "are zero or have only a last byte need none. Default: false, chosen: the text before it has encodings of their own for these."),
    choice<&Settings::copiesToo>("copies_too",
                                 "Lines that the host has written lie compressed in DRAM from the beginning, by software before the copy "
                                 "(section 5.3.1); false: only what the machine has written. Default: true."),
    row<&Settings::kernels>("kernels", "", {},
                            "`network`: kernels whose stores are compressed, as \"saxpy, convolve\": names as the program or PTX has them; "
                            "with routines, only these have the registers for it. Lines are made whole for all kernels. Default: all; "
                            "section 6 enables compression for those programs that a profile says gain."),
    choice<&Settings::firstLevel>(
        "first_level",
        "`network`: how lines lie in first-level data caches: `whole`, made so as they come; `compressed`, and each load has its line made "
        "whole (section 7.5); `direct`, compressed, and the coalescing unit takes what a load needs out of its line in decompress_latency "
        "(section 7.6). Default: whole, section 5.2."),
    row<&Settings::firstLevelTags>("first_level_tags", "tags", {1, 64, true},
                                   "Of such a cache with lines that are not whole, for each line that fits in whole: 2 and 4 in section "
                                   "7.5. Default: 1, lines take all of their place."),
    choice<&Settings::secondLevel>(
        "second_level",
        "`network`: how lines lie in L2: `compressed`; `whole`, made so as they come from DRAM, which still go to SMs that wait for them "
        "as "
        "they came; stores of SMs go as they are, and partitions compress what L2 writes back (section 7.6). Default: compressed, section "
        "5.2."),
    row<&Settings::secondLevelTags>("second_level_tags", "tags", {1, 64, true},
                                    "Of an L2 with compressed lines, for each line that fits in whole: 2 and 4 in section 7.5. Default: "
                                    "1, lines take all of their place."),
    row<&Settings::compressLatency>("compress_latency", "ticks of L2, or cycles of an SM", {0, 1000}, "Default: 5, section 6."),
    row<&Settings::decompressLatency>("decompress_latency", "ticks of L2, or cycles of an SM", {0, 1000}, "Default: 1, section 6."),
    row<&Settings::metadataBytes>("metadata_bytes", "bytes", {0, 1u << 20},
                                  "Of the cache for sizes of lines beside each DRAM channel; 0: they are known at once. Default: 8192, "
                                  "section 5.3.2."),
    row<&Settings::metadataWays>("metadata_ways", "blocks", {1, 64, true}, "Of a set of it. Default: 4, section 5.3.2."),
    row<&Settings::entries>("entries", "requests", {1, 1024},
                            "Of a channel that wait for metadata, for the codec, or for the rest of a line that is written in part. "
                            "Default: 32, chosen: a request queue of the channel (dram.request_queue of fermi-caba)."),
    row<&Settings::smEntries>(
        "sm_entries", "lines", {1, 1024},
        "`network`: of an SM that are being compressed, and by hardware as many that are being made whole. Default: 16, "
        "chosen: more than the latencies take, or four sets of a cache of table 1, of which section 5.2.2 has a few."),
    choice<&Settings::storeBuffer>(
        "store_buffer",
        "`routines`: where stores wait to be compressed, sm_entries lines of them: `shared`, in the shared memory that the blocks of their "
        "launch leave free, which may hold fewer; `l1`, in sets of the first-level data cache that hold no other lines; `own`, in an array "
        "of its own. Default: shared; section 5.2.2 has both of the first."),
    row<&Settings::partialEntries>(
        "partial_entries", "stores", {1, 1024},
        "`network`: to parts of lines, that an SM keeps until it knows that L2 has their line whole, or has stored all of it; others are "
        "merged with their line in L2. Default: 64, chosen: the misses that a first-level cache of fermi-caba keeps (l1d.mshrs); "
        "section 5.2.2 keeps copies in L1."),
    row<&Settings::mostWait>(
        "most_wait", "cycles", {1, 1u << 20},
        "`routines`: that a store waits to be compressed; then it goes on as it is. Default: 10000, chosen: several times "
        "what the longest routine takes in idle slots; section 5.2.2 lets a full buffer alone release stores."),
};

std::optional<std::string> problemOfStoreBuffer(const Settings& settings, const config::Machine& machine) {
  if (settings.storeBuffer != Settings{}.storeBuffer && !routinesCompress(settings))
    return "store_buffer is of stores that wait for routines: by = \"routines\", and second_level = \"compressed\"";
  if (settings.storeBuffer != StoreBuffer::l1) return std::nullopt;
  if (machine.l1d.bytes == 0) return "store_buffer = \"l1\" is of machines with a first-level data cache (l1d.bytes = 0)";
  const u32 sets = mem::setsOf(machine.l1d), lent = setsOfStoreBuffer(settings, machine.l1d);
  if (lent >= sets)
    return fmt::format("store_buffer = \"l1\" with sm_entries = {} takes {} sets of the first-level data cache, which has {}",
                       settings.smEntries, lent, sets);
  return std::nullopt;
}

std::optional<std::string> problemOfLevels(const Settings& settings, const config::Machine& machine) {
  if (settings.reach != Reach::network) {
    const Settings none;
    const bool isAsked = !settings.kernels.empty() || settings.firstLevel != none.firstLevel || settings.secondLevel != none.secondLevel ||
                         settings.firstLevelTags != 1 || settings.secondLevelTags != 1;
    if (!isAsked) return std::nullopt;
    return "kernels, first_level, second_level and their tags need reach = \"network\": else caches have all lines whole";
  }
  if (settings.firstLevel == FirstLevel::whole && settings.firstLevelTags != 1)
    return fmt::format("first_level_tags = {} is of caches with lines that are not whole: first_level = \"compressed\" or \"direct\"",
                       settings.firstLevelTags);
  if (settings.secondLevel == SecondLevel::whole && settings.secondLevelTags != 1)
    return fmt::format("second_level_tags = {} is of caches with lines that are not whole: second_level = \"compressed\"",
                       settings.secondLevelTags);
  if (settings.firstLevel != FirstLevel::whole && machine.l1d.bytes == 0)
    return "first_level is of machines with a first-level data cache (l1d.bytes = 0)";
  const auto ways = [](const config::Cache& cache, u32 tags) -> std::optional<std::string> {
    if (cache.ways * tags <= config::kMostWays) return std::nullopt;
    return fmt::format("{} ways with {} tags for each are more than the {} that a set can have", cache.ways, tags, config::kMostWays);
  };
  if (auto tooMany = ways(machine.l1d, settings.firstLevelTags)) return tooMany;
  return ways(machine.l2, settings.secondLevelTags);
}

}  // namespace

u32 lineBytesOf(const config::Machine& machine) { return machine.llc.bytes != 0 ? machine.llc.lineBytes : machine.l2.lineBytes; }

std::vector<compression::Codec> codecsOf(Choice choice) {
  using compression::Codec;
  if (choice == Choice::best) return {Codec::bdi, Codec::fpc, Codec::cPack};
  return {static_cast<Codec>(choice)};
}

compression::Variants variantsOf(const Settings& settings) {
  return {.fpcSegmentWords = settings.fpcSegmentWords, .cPackZeroInDictionary = settings.cPackZeroInDictionary};
}

bool routinesDecompress(const Settings& settings) { return settings.by == By::routines && settings.firstLevel != FirstLevel::direct; }
bool routinesCompress(const Settings& settings) { return settings.by == By::routines && settings.secondLevel == SecondLevel::compressed; }

config::Cache withoutStoreBuffer(const Settings& settings, const config::Cache& levelOne) {
  config::Cache left = levelOne;
  if (routinesCompress(settings) && settings.storeBuffer == StoreBuffer::l1)
    left.bytes -= u64{setsOfStoreBuffer(settings, levelOne)} * levelOne.ways * levelOne.lineBytes;
  return left;
}

std::vector<config::MechanismSetting> settingRows() { return config::settingsOf<Settings>(kRows); }

std::optional<std::string> problem(const std::any& any, const config::Machine& machine) {
  const Settings& settings = *std::any_cast<Settings>(&any);
  if (machine.l2.bytes == 0 && machine.llc.bytes == 0) return "there is no cache above DRAM whose lines would be compressed (l2.bytes = 0)";
  const u32 lineBytes = lineBytesOf(machine);
  if (lineBytes != 64 && lineBytes != 128) return fmt::format("lines of {} bytes are not compressed, only of 64 and 128", lineBytes);
  if (settings.by == By::routines) {
    if (settings.reach != Reach::network) return "by = \"routines\" needs reach = \"network\": routines run in SMs";
    if (machine.warpSize != 32) return fmt::format("by = \"routines\" needs warps of 32 lanes, not {}", machine.warpSize);
    if (machine.sm.bankMap != "low_order")
      return fmt::format(
          "by = \"routines\" needs interleaved banks, not sm.shared_bank_map = \"{}\": buffers of routines lie behind "
          "what the map covers",
          machine.sm.bankMap);
  }
  if (settings.bdiOrder == BdiOrder::last && !routinesCompress(settings))
    return "bdi_order = \"last\" is of routines that compress: by = \"routines\", and no second_level = \"whole\"";
  if (settings.reach == Reach::network) {
    if (machine.llc.bytes != 0) return "reach = \"network\" is of machines without a cache between L2 and DRAM (llc.bytes)";
    for (const config::Cache* cache : {&machine.l1d, &machine.l2})
      if (cache->lineBytes != lineBytes || cache->sectorBytes != lineBytes)
        return fmt::format(
            "reach = \"network\" needs first- and second-level caches with lines of one size and one sector, not {} of {} bytes",
            cache->lineBytes, cache->sectorBytes);
  }
  if (auto levels = problemOfLevels(settings, machine)) return levels;
  if (auto buffer = problemOfStoreBuffer(settings, machine)) return buffer;
  if (settings.metadataBytes == 0) return std::nullopt;
  if (!std::has_single_bit(settings.metadataBytes))
    return fmt::format("metadata_bytes = {} is neither 0 nor a power of two", settings.metadataBytes);
  if (settings.metadataBytes < settings.metadataWays * kMetadataBlockBytes)
    return fmt::format("metadata_bytes = {} hold no set of metadata_ways = {} blocks of {} bytes", settings.metadataBytes,
                       settings.metadataWays, kMetadataBlockBytes);
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::line_compression
