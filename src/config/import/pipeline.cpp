// Schedulers, pipes, latencies, operand collectors.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "config/import/parts.hpp"

namespace warpwright::config {
namespace {

void importScheduler(Options& options, Sm& sm) {
  const Option* option = options.take("gpgpu_scheduler");
  if (option == nullptr) return;
  const auto parts = split(option->value, ':');
  const std::string& name = parts[0];
  if (name == "lrr") {
    sm.scheduler = "loose_round_robin";
  } else if (name == "gto") {
    sm.scheduler = "greedy_then_oldest";
  } else if (name == "old") {
    sm.scheduler = "oldest_first";
  } else if (name == "two_level_active" && parts.size() >= 2) {
    sm.scheduler = "two_level";
    sm.twoLevelActive = static_cast<u32>(std::min<u64>(numberOf(*option, parts[1]), 1024));
    if (parts.size() > 2) options.note(*option, "of a two-level scheduler only the size of the active set is carried over");
  } else {
    options.note(*option, fmt::format("there is no scheduler '{}' here; the machine has the default, greedy_then_oldest", name));
  }
}

// Numbers separated by commas; the operations in the order of GPGPU-Sim: ADD, MAX, MUL, MAD, DIV, SHFL.
enum Operation : std::size_t { kAdd, kMax, kMul, kMad, kDiv, kShuffle };

std::vector<u32> listOf(Options& options, const std::string& name, std::size_t least) {
  const Option* option = options.take(name);
  if (option == nullptr) return {};
  std::vector<u32> result;
  for (const std::string& part : split(option->value, ',')) {
    const u64 value = numberOf(*option, part);
    if (value > 10'000) refuse(*option, "more than 10000 cycles");
    result.push_back(static_cast<u32>(std::max<u64>(value, 1)));
  }
  if (result.size() < least) refuse(*option, fmt::format("expected at least {} numbers", least));
  return result;
}

// What GPGPU-Sim's pipeline adds to an operation's latency until one that needs the result issues: three steps of the operand collectors
// (taken in, read, dispatched), of which so many happen a cycle as a bank of registers has ports, then a cycle each to the unit, into its
// pipe and from write-back.
u32 cyclesAround(const Sm& sm) {
  constexpr u32 kSteps = 3, kOthers = 3;
  const u32 atOnce = std::clamp(sm.registerBankPorts, 1U, kSteps);
  return (kSteps + atOnce - 1) / atOnce + kOthers;
}

// Sets latencies or intervals from a list, each with `more`; a shorter list leaves the rest.
struct Kind {
  const char* name;
  u32 LatencyOf::*member;
  u32 more;
};
void set(const Kind& kind, const std::vector<u32>& from, LatencyOf& to, std::initializer_list<Operation> operations) {
  u32 largest = 0;
  for (const Operation operation : operations) {
    if (operation < from.size()) largest = std::max(largest, from[operation]);
  }
  if (largest > 0) to.*kind.member = largest + kind.more;
}

void importLatencies(Options& options, Sm& sm, const Kind& kind) {
  const std::string start = std::string("ptx_opcode_") + kind.name;
  constexpr std::size_t kWithDivision = 5;
  const auto integers = listOf(options, start + "_int", kWithDivision);
  set(kind, integers, sm.simple, {kAdd});
  set(kind, integers, sm.convert, {kAdd});
  set(kind, integers, sm.multiply, {kMul, kMad});
  set(kind, integers, sm.divide, {kDiv});
  set(kind, integers, sm.shuffle, {kShuffle});
  const auto single = listOf(options, start + "_fp", kWithDivision);
  set(kind, single, sm.fma32, {kAdd});
  set(kind, single, sm.divide32, {kDiv});
  const auto doubles = listOf(options, start + "_dp", kWithDivision);
  set(kind, doubles, sm.fma64, {kAdd});
  set(kind, doubles, sm.divide64, {kDiv});
  set(kind, listOf(options, start + "_sfu", 1), sm.special, {kAdd});
  // The option of the latencies is misspelt in GPGPU-Sim.
  for (const char* name : {"_tesnor", "_tensor"}) set(kind, listOf(options, start + name, 1), sm.matrix, {kAdd});
}

// GPGPU-Sim's pipes take a whole warp at a time; initiation intervals give their throughput.
void importPipes(Options& options, Machine& machine) {
  Sm& sm = machine.sm;
  u32 integers = 0, doubles = 0, tensors = 0;
  options.number("gpgpu_num_sp_units", sm.fp32.count);
  options.number("gpgpu_num_sfu_units", sm.sfu.count);
  if (options.number("gpgpu_num_int_units", integers) && integers > 0) sm.integer.count = integers;
  sm.integerOnFp32 = integers == 0;
  options.number("gpgpu_num_dp_units", doubles);
  if (const Option* option = options.take("gpgpu_num_dp_units"); option != nullptr && doubles == 0) {
    options.note(*option, "double precision gets a pipe of its own instead of the special-function pipe");
  }
  sm.fp64.count = std::max(doubles, 1U);
  bool hasTensor = true;
  options.flag("gpgpu_tensor_core_avail", hasTensor);
  options.number("gpgpu_num_tensor_core_units", tensors);
  sm.tensor.count = hasTensor ? tensors : 0;
  for (Pipes* pipes : {&sm.integer, &sm.fp32, &sm.fp64, &sm.sfu, &sm.loadStore, &sm.tensor}) pipes->width = machine.warpSize;
}

// EX_WB stands last in the files of version 3, behind the widths of three pipes (7) or, with double precision, four (9);
// eleventh in those of version 4, where the tensor cores' widths follow it.
std::size_t indexOfWriteBack(std::size_t widths) { return widths < 9 ? 6 : widths < 11 ? 8 : 10; }

void importWriteBack(Options& options, Sm& sm) {
  const Option* option = options.take("gpgpu_pipeline_widths");
  if (option == nullptr) return;
  const auto widths = split(option->value, ',');
  if (widths.size() < 7 || widths.size() == 8) {
    refuse(*option, fmt::format("{} widths", widths.size()), "expected 7 or 9 (version 3), 11 or 13 (version 4)");
  }
  sm.writeBackPorts = static_cast<u32>(std::min<u64>(numberOf(*option, widths[indexOfWriteBack(widths.size())]), 64));
  options.note(*option, "only EX_WB is carried over, as sm.pipeline.write_back_ports; pipes take one instruction a cycle");
}

// A register's bank is a part of its number, so banks are a power of two.
void importRegisterBanks(Options& options, Sm& sm) {
  u32 banks = sm.registerBanks;
  if (!options.number("gpgpu_num_reg_banks", banks)) return;
  const Option& option = *options.take("gpgpu_num_reg_banks");
  if (banks == 0) refuse(option, "a register file has at least one bank");
  sm.registerBanks = std::min(std::bit_floor(banks), 64U);
  if (sm.registerBanks != banks) options.note(option, fmt::format("banks are a power of two up to 64: {}", sm.registerBanks));
}

void importCollectors(Options& options, Sm& sm) {
  u64 total = 0;
  bool isSpecialized = false, hasMemory = false;
  for (const char* kind : {"gen", "sp", "dp", "sfu", "int", "mem", "tensor_core"}) {
    u32 units = 0;
    if (!options.number(fmt::format("gpgpu_operand_collector_num_units_{}", kind), units)) continue;
    total += units;
    isSpecialized = isSpecialized || std::string_view(kind) != "gen";
    hasMemory = hasMemory || std::string_view(kind) == "mem";
  }
  // Its default, where the other kinds are stated.
  if (isSpecialized && !hasMemory) total += 2;
  if (total > 0) sm.collectors = static_cast<u32>(std::min<u64>(total, 64));
}

}  // namespace

void importPipeline(Options& options, Machine& machine) {
  Sm& sm = machine.sm;
  importScheduler(options, sm);
  u32 issueWidth = sm.issueWidth;
  if (options.number("gpgpu_max_insn_issue_per_warp", issueWidth)) {
    if (issueWidth < 1 || issueWidth > 2) refuse(*options.take("gpgpu_max_insn_issue_per_warp"), "a scheduler issues 1 or 2 instructions");
    sm.issueWidth = issueWidth;
  }
  options.number("gpgpu_inst_fetch_throughput", sm.fetchesPerCycle);
  // GPGPU-Sim limits what is fetched, not what the instruction cache serves.
  machine.l1i.ports = std::max(machine.l1i.ports, sm.fetchesPerCycle);
  machine.l1i.inputQueue = std::max(machine.l1i.inputQueue, sm.fetchesPerCycle);
  importPipes(options, machine);
  importRegisterBanks(options, sm);
  options.number("gpgpu_reg_file_port_throughput", sm.registerBankPorts);
  importLatencies(options, sm, {"latency", &LatencyOf::latency, cyclesAround(sm)});
  importLatencies(options, sm, {"initiation", &LatencyOf::interval, 0});
  importWriteBack(options, sm);
  importCollectors(options, sm);
}

void importSmMemory(Options& options, Machine& machine) {
  Sm& sm = machine.sm;
  options.number("gpgpu_smem_latency", sm.sharedLatency);
  bool limited = !sm.sharedMulticast, skip = !sm.cacheGlobalLoads;
  if (options.flag("gpgpu_shmem_limited_broadcast", limited)) sm.sharedMulticast = !limited;
  if (options.flag("gpgpu_gmem_skip_L1D", skip)) sm.cacheGlobalLoads = !skip;
  u32 architecture = machine.computeMajor * 10 + machine.computeMinor;
  options.number("gpgpu_coalesce_arch", architecture);
  sm.coalescing = architecture < 20 ? Coalescing::halfWarpSegments : architecture < 50 ? Coalescing::lines : Coalescing::sectors;
}

}  // namespace warpwright::config
