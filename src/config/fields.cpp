#include "config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace warpwright::config {
namespace {

constexpr u64 kKi = 1024, kGi = kKi * kKi * kKi;

const std::vector<Field>& fieldList() {
  using M = Machine;
  static const std::vector<Field> list = {
      {"", "name", &M::name, "", {}, "What the machine is called. Default: the stem of the file's name."},
      {"", "description", &M::description, "", {}, "One line for `warpwright machines`."},
      {"chip", "multiprocessors", &M::multiprocessors, "SMs", {1, 4096}, "Streaming multiprocessors. Default: one, the smallest machine."},
      {"chip",
       "compute_major",
       &M::computeMajor,
       "",
       {1, 99},
       "Compute capability that device properties report; it does not limit which PTX runs. Default: 7.0, the first with "
       "independent thread scheduling."},
      {"chip", "compute_minor", &M::computeMinor, "", {0, 9}, "Its second part."},
      {"chip",
       "core_clock_khz",
       &M::coreClockKhz,
       "kHz",
       {1'000, 100'000'000},
       "Clock of the SMs. Default: 1 GHz, so that a cycle is a nanosecond."},
      {"chip",
       "memory_clock_khz",
       &M::memoryClockKhz,
       "kHz",
       {1'000, 100'000'000},
       "Memory clock as CUDA reports it: the peak bandwidth is 2 x clock x bus width / 8. Default: 1 GHz, a round number."},
      {"chip",
       "memory_bus_bits",
       &M::memoryBusBits,
       "bits",
       {8, 65'536},
       "Width of the memory bus. Default: 256, as GT200-class and current mid-range GPUs have."},
      {"chip",
       "global_memory_bytes",
       &M::globalMemoryBytes,
       "bytes",
       {1 << 20, u64{1} << 40},
       "Device memory; allocations beyond it fail. Default: 8 GiB, that of an RTX 3070."},
      {"chip", "l2_cache_bytes", &M::l2CacheBytes, "bytes", {0, kGi}, "Size of the L2 cache that device properties report. Default: none."},
      {"sm",
       "warp_size",
       &M::warpSize,
       "lanes",
       {4, 64, true},
       "Lanes of a warp. Default: 32, that of every NVIDIA GPU (CUDA C++ Programming Guide, compute capabilities)."},
      {"sm",
       "warps",
       &M::warpsPerSm,
       "warps",
       {1, 1024},
       "Warps that can be resident on an SM. Default: 48, compute capability 2.x (CUDA C++ Programming Guide)."},
      {"sm",
       "blocks",
       &M::blocksPerSm,
       "blocks",
       {1, 1024},
       "Blocks that can be resident on an SM. Default: 8, compute capability 2.x (CUDA C++ Programming Guide)."},
      {"sm",
       "threads_per_block",
       &M::threadsPerBlock,
       "threads",
       {1, 65'536},
       "Largest block. Default: 1024, compute capability 2.0 and later (CUDA C++ Programming Guide)."},
      {"sm",
       "registers",
       &M::registersPerSm,
       "registers",
       {256, 1 << 24},
       "32-bit registers of an SM. Default: 32768, compute capability 2.x (CUDA C++ Programming Guide)."},
      {"sm",
       "registers_per_thread",
       &M::registersPerThread,
       "registers",
       {16, 255},
       "Most 32-bit registers of one thread. Default: 255, compute capability 3.5 and later (CUDA C++ Programming Guide)."},
      {"sm",
       "register_allocation_unit",
       &M::registerAllocationUnit,
       "registers",
       {1, 65'536, true},
       "A warp receives a multiple of it. Default: 64, compute capability 2.x (NVIDIA's occupancy tables)."},
      {"sm",
       "shared_bytes",
       &M::sharedBytesPerSm,
       "bytes",
       {0, 16 * kKi * kKi},
       "Shared memory of an SM. Default: 48 KiB, compute capability 2.x (CUDA C++ Programming Guide)."},
      {"sm",
       "shared_bytes_per_block",
       &M::sharedBytesPerBlock,
       "bytes",
       {0, 16 * kKi * kKi},
       "Most shared memory of a block that asks for no more. Default: 48 KiB (CUDA C++ Programming Guide)."},
      {"sm",
       "shared_bytes_per_block_optin",
       &M::sharedBytesPerBlockOptin,
       "bytes",
       {0, 16 * kKi * kKi},
       "Most shared memory of a block whose kernel opts in by cudaFuncAttributeMaxDynamicSharedMemorySize. Default: no more "
       "than without."},
      {"sm",
       "shared_allocation_unit",
       &M::sharedAllocationUnit,
       "bytes",
       {1, 65'536, true},
       "A block receives a multiple of it. Default: 128, compute capability 2.x (NVIDIA's occupancy tables)."},
      {"sm",
       "shared_banks",
       &M::sharedBanks,
       "banks",
       {1, 64, true},
       "Banks of shared memory. Default: 32, compute capability 2.0 and later (CUDA C++ Programming Guide)."},
      {"sm",
       "shared_bank_bytes",
       &M::sharedBankBytes,
       "bytes",
       {4, 8, true},
       "Width of a bank. Default: 4 (CUDA C++ Programming Guide); 8 is the wide mode of compute capability 3.x."},
      {"sm",
       "schedulers",
       &M::schedulersPerSm,
       "schedulers",
       {1, 16},
       "Warp schedulers of an SM; each issues one warp instruction a cycle. Default: one, the smallest machine."},
      {"sm",
       "reconvergence",
       &M::reconvergence,
       "",
       {.choices = {"independent", "stack"}},
       "`stack`: one path of a warp runs until it reconverges, as before Volta. `independent`: paths take turns, so that threads "
       "of a warp may wait for each other, as from Volta on. Default: independent, what current CUDA promises."},
  };
  return list;
}

std::optional<u64> number(const Field& field, const Machine& machine) {
  if (const auto* member = std::get_if<u32 Machine::*>(&field.member)) return machine.**member;
  if (const auto* member = std::get_if<u64 Machine::*>(&field.member)) return machine.**member;
  return std::nullopt;
}

bool allows(const Range& range, u64 value) {
  return value >= range.minimum && value <= range.maximum && (!range.powerOfTwo || std::has_single_bit(value));
}

bool allows(const Range& range, const std::string& value) {
  return range.choices.empty() || std::find(range.choices.begin(), range.choices.end(), value) != range.choices.end();
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04X}", static_cast<int>(c));
      continue;
    }
    result += c;
  }
  return result + '"';
}

constexpr std::array kCrossChecks = {
    CrossCheck{"sm.threads_per_block", [](const Machine& m) { return u64{m.threadsPerBlock} <= u64{m.warpsPerSm} * m.warpSize; },
               "the largest block must fit on an SM: at most sm.warps x sm.warp_size threads"},
    CrossCheck{"sm.registers", [](const Machine& m) { return m.registersPerSm % m.registerAllocationUnit == 0; },
               "must be a multiple of sm.register_allocation_unit"},
    CrossCheck{"sm.registers", [](const Machine& m) { return m.registersPerSm >= m.registersPerThread * m.warpSize; },
               "must hold one warp of sm.warp_size threads with sm.registers_per_thread registers"},
    CrossCheck{"sm.shared_bytes_per_block", [](const Machine& m) { return m.sharedBytesPerBlock <= m.sharedBytesPerSm; },
               "must not exceed sm.shared_bytes"},
    CrossCheck{"sm.shared_bytes_per_block_optin", [](const Machine& m) { return m.sharedBytesPerBlockOptin <= m.sharedBytesPerSm; },
               "must not exceed sm.shared_bytes"},
    CrossCheck{"sm.shared_bytes_per_block_optin", [](const Machine& m) { return m.sharedBytesPerBlockOptin >= m.sharedBytesPerBlock; },
               "must be at least sm.shared_bytes_per_block"},
};

}  // namespace

std::span<const Field> fields() { return fieldList(); }

std::span<const CrossCheck> crossChecks() { return kCrossChecks; }

std::string Field::key() const { return section.empty() ? std::string(name) : fmt::format("{}.{}", section, name); }

std::string Field::rangeText() const {
  if (std::holds_alternative<std::string Machine::*>(member)) {
    return range.choices.empty() ? "text" : fmt::format("`{}`", fmt::join(range.choices, "` or `"));
  }
  return fmt::format("{} to {}{}", range.minimum, range.maximum, range.powerOfTwo ? ", a power of two" : "");
}

std::string Field::valueText(const Machine& machine) const {
  if (const auto value = number(*this, machine)) return fmt::format("{}", *value);
  return quoted(machine.*std::get<std::string Machine::*>(member));
}

std::optional<std::string> Field::problem(const Machine& machine) const {
  const auto value = number(*this, machine);
  const bool good = value ? allows(range, *value) : allows(range, machine.*std::get<std::string Machine::*>(member));
  if (good) return std::nullopt;
  return fmt::format("{} = {} is out of range: {}", key(), valueText(machine), rangeText());
}

}  // namespace warpwright::config
