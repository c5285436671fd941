#include "mechanisms/line_compression/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "mechanisms/line_compression/metadata.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::line_compression::Reach> = {"memory", "network"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<mechanisms::line_compression::By> = {"hardware", "routines"};
template <>
inline constexpr std::array<std::string_view, 4> kNamesOf<mechanisms::line_compression::Choice> = {"bdi", "fpc", "c_pack", "best"};

}  // namespace warpwright::config

namespace warpwright::mechanisms::line_compression {
namespace {

using config::choice;
using config::row;

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
    choice<&Settings::copiesToo>("copies_too",
                                 "Lines that the host has written lie compressed in DRAM from the beginning, by software before the copy "
                                 "(section 5.3.1); false: only what the machine has written. Default: true."),
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
    row<&Settings::mostWait>(
        "most_wait", "cycles", {1, 1u << 20},
        "`routines`: that a store waits to be compressed; then it goes on as it is. Default: 10000, chosen: several times "
        "what the longest routine takes in idle slots; section 5.2.2 lets a full buffer alone release stores."),
};

}  // namespace

u32 lineBytesOf(const config::Machine& machine) { return machine.llc.bytes != 0 ? machine.llc.lineBytes : machine.l2.lineBytes; }

std::vector<compression::Codec> codecsOf(Choice choice) {
  using compression::Codec;
  if (choice == Choice::best) return {Codec::bdi, Codec::fpc, Codec::cPack};
  return {static_cast<Codec>(choice)};
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
  if (settings.reach == Reach::network) {
    if (machine.llc.bytes != 0) return "reach = \"network\" is of machines without a cache between L2 and DRAM (llc.bytes)";
    for (const config::Cache* cache : {&machine.l1d, &machine.l2})
      if (cache->lineBytes != lineBytes || cache->sectorBytes != lineBytes)
        return fmt::format(
            "reach = \"network\" needs first- and second-level caches with lines of one size and one sector, not {} of {} bytes",
            cache->lineBytes, cache->sectorBytes);
  }
  if (settings.metadataBytes == 0) return std::nullopt;
  if (!std::has_single_bit(settings.metadataBytes))
    return fmt::format("metadata_bytes = {} is neither 0 nor a power of two", settings.metadataBytes);
  if (settings.metadataBytes < settings.metadataWays * kMetadataBlockBytes)
    return fmt::format("metadata_bytes = {} hold no set of metadata_ways = {} blocks of {} bytes", settings.metadataBytes,
                       settings.metadataWays, kMetadataBlockBytes);
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::line_compression
