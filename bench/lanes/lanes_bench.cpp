// Time per operation of one warp (32 lanes), by host level: the cost of the vector lanes without the engine's dispatch.
#include <benchmark/benchmark.h>

#include <vector>

#include "exec/lane_function.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Opcode;

constexpr u32 kLanes = 32;
constexpr LaneMask kAll = LaneMask::first(kLanes);
constexpr LaneMask kSome(0x5a5a'ffff);

struct Case {
  const char* name;
  isa::Instruction instruction;
};

isa::Instruction make(Opcode opcode, DataType type, DataType source = DataType::none) {
  isa::Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.sourceType = source;
  return instruction;
}
isa::Instruction makeFma(isa::Rounding rounding, bool ftz) {
  isa::Instruction instruction = make(Opcode::fma, DataType::f32);
  instruction.modifiers.rounding = rounding;
  instruction.modifiers.ftz = ftz;
  return instruction;
}
isa::Instruction makeLookUp(u8 table) {
  isa::Instruction instruction = make(Opcode::lop3, DataType::u32);
  instruction.modifiers.lut = table;
  return instruction;
}
isa::Instruction truncation(DataType to, DataType from) {
  isa::Instruction instruction = make(Opcode::cvt, to, from);
  instruction.modifiers.rounding = isa::Rounding::zero;
  return instruction;
}
isa::Instruction compare(DataType type) {
  isa::Instruction instruction = make(Opcode::setp, type);
  instruction.modifiers.compare = isa::Compare::lt;
  return instruction;
}
isa::Instruction approximate(Opcode opcode) {
  isa::Instruction instruction = make(opcode, DataType::f32);
  instruction.modifiers.accuracy = isa::Accuracy::approximate;
  return instruction;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> result{
      {"mov.u32", make(Opcode::mov, DataType::u32)},
      {"mov.u64", make(Opcode::mov, DataType::u64)},
      {"add.s32", make(Opcode::add, DataType::s32)},
      {"add.s64", make(Opcode::add, DataType::s64)},
      {"mul.lo.s32", make(Opcode::mul_lo, DataType::s32)},
      {"mul.hi.u32", make(Opcode::mul_hi, DataType::u32)},
      {"mad.lo.s32", make(Opcode::mad_lo, DataType::s32)},
      {"mul.wide.s32", make(Opcode::mul_wide, DataType::s32)},
      {"mul.wide.u32", make(Opcode::mul_wide, DataType::u32)},
      {"mad.wide.s32", make(Opcode::mad_wide, DataType::s32)},
      {"mul.lo.u64", make(Opcode::mul_lo, DataType::u64)},
      {"div.u32", make(Opcode::div, DataType::u32)},
      {"div.s32", make(Opcode::div, DataType::s32)},
      {"rem.s32", make(Opcode::rem, DataType::s32)},
      {"min.s32", make(Opcode::min, DataType::s32)},
      {"and.b32", make(Opcode::and_, DataType::u32)},
      {"and.b64", make(Opcode::and_, DataType::u64)},
      {"lop3.b32", makeLookUp(0x96)},
      {"prmt.b32", make(Opcode::prmt, DataType::u32)},
      {"shl.b32", make(Opcode::shl, DataType::u32)},
      {"shr.s32", make(Opcode::shr, DataType::s32)},
      {"shl.b64", make(Opcode::shl, DataType::u64)},
      {"shf.l.b32", make(Opcode::shf_l, DataType::u32)},
      {"bfe.u32", make(Opcode::bfe, DataType::u32)},
      {"popc.b32", make(Opcode::popc, DataType::u32)},
      {"clz.b32", make(Opcode::clz, DataType::u32)},
      {"setp.lt.s32", compare(DataType::s32)},
      {"setp.lt.u64", compare(DataType::u64)},
      {"setp.lt.f32", compare(DataType::f32)},
      {"selp.b32", make(Opcode::selp, DataType::u32)},
      {"selp.b64", make(Opcode::selp, DataType::u64)},
      {"add.f32", make(Opcode::add, DataType::f32)},
      {"mul.f32", make(Opcode::mul_lo, DataType::f32)},
      {"fma.rn.f32", makeFma(isa::Rounding::nearest, false)},
      {"fma.rn.ftz.f32", makeFma(isa::Rounding::nearest, true)},
      {"fma.rz.f32", makeFma(isa::Rounding::zero, false)},
      {"max.f32", make(Opcode::max, DataType::f32)},
      {"div.rn.f32", make(Opcode::div, DataType::f32)},
      {"sqrt.rn.f32", make(Opcode::sqrt, DataType::f32)},
      {"add.f64", make(Opcode::add, DataType::f64)},
      {"fma.rn.f64", make(Opcode::fma, DataType::f64)},
      {"sin.approx.f32", approximate(Opcode::sin)},
      {"ex2.approx.f32", approximate(Opcode::ex2)},
      {"lg2.approx.f32", approximate(Opcode::lg2)},
      {"rsqrt.approx.f32", approximate(Opcode::rsqrt)},
      {"cvt.s64.s32", make(Opcode::cvt, DataType::s64, DataType::s32)},
      {"cvt.u32.u64", make(Opcode::cvt, DataType::u32, DataType::u64)},
      {"cvt.u32.u8", make(Opcode::cvt, DataType::u32, DataType::u8)},
      {"cvt.rn.f32.s32", make(Opcode::cvt, DataType::f32, DataType::s32)},
      {"cvt.rn.f32.u32", make(Opcode::cvt, DataType::f32, DataType::u32)},
      {"cvt.rzi.s32.f32", truncation(DataType::s32, DataType::f32)},
      {"cvt.f64.f32", make(Opcode::cvt, DataType::f64, DataType::f32)},
      {"cvt.rn.f32.f64", make(Opcode::cvt, DataType::f32, DataType::f64)},
      {"cvt.f32.f16", make(Opcode::cvt, DataType::f32, DataType::f16)},
      {"cvt.rn.f16.f32", make(Opcode::cvt, DataType::f16, DataType::f32)},
  };
  return result;
}

// Registers 0, 2, 4, 6, 8 … hold the operands; every word looks like a moderate float, a small positive number in integer terms.
struct Machine {
  std::vector<u32> registers = std::vector<u32>(kLanes * 32);
  LaneMask predicates[isa::kPredicates + 1] = {};
  DecodedInstruction decoded;
  LaneState state;

  explicit Machine(const isa::Instruction& instruction) {
    for (u32 i = 0; i < registers.size(); ++i) registers[i] = 0x3f80'0000 + i * 0x1357;
    predicates[0] = LaneMask(0xf0f0'f0f0);
    predicates[isa::kTruePredicate] = ~LaneMask{};
    decoded.instruction = &instruction;
    const isa::OpcodeInfo& row = isa::info(instruction.opcode);
    place(row.destinations, decoded.destinations, 16);
    place(row.sources, decoded.sources, 0);
    state = {registers.data(), registers.data(), predicates};
  }

 private:
  static void place(std::string_view letters, LaneOperand* operands, u32 firstRegister) {
    for (u32 i = 0; i < letters.size(); ++i) {
      operands[i].present = letters[i] >= 'A' && letters[i] <= 'Z';
      operands[i].bank = letters[i] == 'P' ? LaneOperand::Bank::predicate : LaneOperand::Bank::registers;
      operands[i].offset = letters[i] == 'P' ? 0 : (firstRegister + 2 * i) * kLanes;
    }
  }
};

void runCase(benchmark::State& state, const Case& example, HostLevel level, LaneMask executing) {
  Machine machine(example.instruction);
  machine.decoded.function = findLaneFunction(example.instruction, kLanes, level);
  for (auto _ : state) {
    machine.decoded.function(machine.decoded, machine.state, executing);
    benchmark::ClobberMemory();
  }
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const HostLevel level : {HostLevel::portable, HostLevel::avx2, HostLevel::avx512}) {
    if (level > bestHostLevel()) continue;
    for (const Case& example : cases()) {
      const std::string title = std::string(name(level)) + "/" + example.name;
      benchmark::RegisterBenchmark(title.c_str(), [&example, level](benchmark::State& s) { runCase(s, example, level, kAll); });
    }
  }
  for (const Case& example : cases()) {
    const std::string title = std::string("divergent/") + example.name;
    benchmark::RegisterBenchmark(title.c_str(), [&example](benchmark::State& s) { runCase(s, example, bestHostLevel(), kSome); });
  }
  return true;
}();

}  // namespace
}  // namespace warpwright::exec
