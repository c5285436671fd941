// DRAM: organisation, timings, scheduler, mapping of addresses.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "config/import/parts.hpp"

namespace warpwright::config {
namespace {

// In the order of the positional form; the last three came later and may be missing.
struct Timing {
  std::string_view name;
  u32 Dram::*member;
};
constexpr Timing kTimings[] = {{"nbk", &Dram::banks},  {"CCD", &Dram::tCCD},  {"RRD", &Dram::tRRD}, {"RCD", &Dram::tRCD},
                               {"RAS", &Dram::tRAS},   {"RP", &Dram::tRP},    {"RC", &Dram::tRC},   {"CL", &Dram::tCL},
                               {"WL", &Dram::tWL},     {"CDLR", &Dram::tWTR}, {"WR", &Dram::tWR},   {"nbkgrp", &Dram::bankGroups},
                               {"CCDL", &Dram::tCCDL}, {"RTPL", &Dram::tRTP}};
constexpr std::size_t kAlwaysGiven = 11;

u32 timingOf(const Option& option, const std::string& text) {
  const u64 value = numberOf(option, text);
  if (value > 65'535) refuse(option, fmt::format("'{}' is more than 65535", text));
  return static_cast<u32>(value);
}

void readNamed(const Option& option, const std::vector<std::string>& parts, Dram& dram) {
  for (const std::string& part : parts) {
    const auto pair = split(part, '=');
    if (pair.size() != 2) refuse(option, fmt::format("'{}' is not NAME=NUMBER", part));
    const auto timing = std::find_if(std::begin(kTimings), std::end(kTimings), [&](const Timing& each) { return each.name == pair[0]; });
    if (timing == std::end(kTimings)) refuse(option, fmt::format("there is no timing '{}'", pair[0]));
    dram.*timing->member = timingOf(option, pair[1]);
  }
}

void readPositional(const Option& option, const std::vector<std::string>& parts, Dram& dram) {
  if (parts.size() < kAlwaysGiven || parts.size() > std::size(kTimings)) {
    refuse(option, fmt::format("expected {} to {} numbers", kAlwaysGiven, std::size(kTimings)),
           "nbk:CCD:RRD:RCD:RAS:RP:RC:CL:WL:CDLR:WR:nbkgrp:CCDL:RTPL");
  }
  for (std::size_t i = 0; i < parts.size(); ++i) dram.*kTimings[i].member = timingOf(option, parts[i]);
}

void importTimings(Options& options, Dram& dram) {
  const Option* option = options.take("gpgpu_dram_timing_opt");
  if (option == nullptr) return;
  dram.bankGroups = 1;
  dram.tCCDL = dram.tRTP = 0;
  const auto parts = split(option->value, ':');
  option->value.find('=') == std::string::npos ? readPositional(*option, parts, dram) : readNamed(*option, parts, dram);
  // 0 turns bank groups off; the rules between them then do not differ from those between banks.
  dram.bankGroups = std::max(dram.bankGroups, 1U);
  dram.tCCDL = std::max(dram.tCCDL, dram.tCCD);
  if (dram.tRTP == 0) dram.tRTP = dram.tCCD;
}

// GPGPU-Sim has one model of DRAM; the standard follows from the transfers of a tick and of a burst.
DramKind kindOf(const Dram& dram) {
  if (dram.burstLength >= 16) return DramKind::gddr6;
  if (dram.dataRate >= 4) return DramKind::gddr5;
  return dram.bankGroups == 1 ? DramKind::gddr3 : DramKind::hbm2;
}

void importOrganisation(Options& options, Dram& dram) {
  options.number("gpgpu_n_mem", dram.channels);
  if (dram.channels == 0 || dram.channels > 256) refuse(*options.take("gpgpu_n_mem"), "a machine has 1 to 256 memory channels");
  u64 chips = 1, width = 4;
  options.number("gpgpu_n_mem_per_ctrlr", chips);
  options.number("gpgpu_dram_buswidth", width);
  for (const char* name : {"gpgpu_dram_buswidth", "gpgpu_n_mem_per_ctrlr"}) {
    const Option* option = options.take(name);
    const bool fits = chips > 0 && chips <= 128 && width > 0 && width <= 128 && chips * width <= 128;
    if (option != nullptr && !fits) refuse(*option, "the chips of a channel together have 1 to 128 bytes");
  }
  dram.busBytes = static_cast<u32>(chips * width);
  options.number("gpgpu_dram_burst_length", dram.burstLength);
  dram.dataRate = 2;  // the option's default
  options.number("dram_data_command_freq_ratio", dram.dataRate);
}

void importQueues(Options& options, Dram& dram) {
  u32 scheduler = 1;
  if (options.number("gpgpu_dram_scheduler", scheduler)) {
    if (scheduler > 1) refuse(*options.take("gpgpu_dram_scheduler"), "0 is FIFO, 1 is FR-FCFS");
    dram.scheduler = scheduler == 0 ? "fcfs" : "fr_fcfs";
  }
  for (const char* name : {"gpgpu_dram_sched_queue_size", "gpgpu_frfcfs_dram_sched_queue_size"}) options.number(name, dram.requestQueue);
  options.number("gpgpu_dram_return_queue_size", dram.returnQueue);
  options.number("dram_latency", dram.fixedLatency);
}

// "dramid@8;0000RRRR.BBBCCCCB.CCSSSSSS": the channel starts at bit 8; columns and the bytes of a burst are the bits of a row.
void importMapping(Options& options, Dram& dram) {
  const Option* option = options.take("gpgpu_mem_addr_mapping");
  if (option == nullptr) return;
  const std::string start = "dramid@";
  const auto parts = split(option->value, ';');
  if (!parts[0].starts_with(start) || parts.size() != 2) refuse(*option, "expected dramid@BIT;MAP");
  const u64 bit = numberOf(*option, parts[0].substr(start.size()));
  if (bit < 5 || bit > 16) refuse(*option, "the channel's bit is out of range: 5 to 16");
  dram.interleaveBytes = 1U << bit;
  const auto columnBits = std::count_if(parts[1].begin(), parts[1].end(), [](char c) { return c == 'C' || c == 'S'; });
  if (columnBits < 8 || columnBits > 16) refuse(*option, "a row has 256 to 65536 bytes: 8 to 16 bits C and S");
  dram.rowBytes = 1U << columnBits;
  options.note(*option,
               "carried over are the interleaving of channels and the size of a row; the order of banks and rows is the machine's own");
}

// A published file has bursts of 512 bytes in channels that change every 256. Bursts become shorter there, whole ticks as before.
void fitBurst(Options& options, Dram& dram) {
  const u32 most = dram.interleaveBytes / std::max(dram.busBytes, 1U);
  const Option* option = options.take("gpgpu_dram_burst_length");
  if (option == nullptr || dram.burstLength <= most || most < dram.dataRate) return;
  dram.burstLength = std::bit_floor(most);
  options.note(*option, fmt::format("a burst ends with the {} bytes of a channel: {} transfers", dram.interleaveBytes, dram.burstLength));
}

}  // namespace

void importDram(Options& options, Machine& machine) {
  Dram& dram = machine.dram;
  importOrganisation(options, dram);
  importTimings(options, dram);
  importQueues(options, dram);
  importMapping(options, dram);
  fitBurst(options, dram);
  dram.kind = kindOf(dram);
  u32 indexing = 0;
  if (options.number("gpgpu_memory_partition_indexing", indexing) && indexing > 0) {
    dram.hashChannels = "true";
    options.note(*options.take("gpgpu_memory_partition_indexing"), "channels are hashed by exclusive-or, which may be another function");
  }
}

}  // namespace warpwright::config
