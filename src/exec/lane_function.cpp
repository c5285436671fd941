// Chooses among the host levels' builds of the lane operations.
#include "exec/lane_function.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "exec/lanes/find.hpp"
#include "isa/disassembler.hpp"

namespace warpwright::exec {
namespace {

bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"); }
bool hasAvx512() {
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl");
}

LaneFunction findAtLevel(const isa::Instruction& instruction, u32 lanes, HostLevel level) {
  switch (level) {
    case HostLevel::avx512:
      return lanes::avx512::find(instruction, lanes);
    case HostLevel::avx2:
      return lanes::avx2::find(instruction, lanes);
    case HostLevel::portable:
      return lanes::portable::find(instruction, lanes);
  }
  return nullptr;
}

}  // namespace

HostLevel bestHostLevel() {
  static const HostLevel level = hasAvx512() ? HostLevel::avx512 : hasAvx2() ? HostLevel::avx2 : HostLevel::portable;
  return level;
}

std::string_view name(HostLevel level) {
  switch (level) {
    case HostLevel::avx512:
      return "avx512";
    case HostLevel::avx2:
      return "avx2";
    case HostLevel::portable:
      return "portable";
  }
  return "portable";
}

LaneFunction findLaneFunction(const isa::Instruction& instruction, u32 lanes, HostLevel level) {
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  if (row.family != isa::Family::lane) return nullptr;
  const LaneFunction function = row.allows(instruction.type) ? findAtLevel(instruction, lanes, level) : nullptr;
  if (function != nullptr) return function;
  throw Error(fmt::format("the machine has no operation {}", isa::disassemble(instruction, 64)));
}

}  // namespace warpwright::exec
