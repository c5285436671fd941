// Every machine of configs/ that describes timing can be timed, as it stands.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using isa::DataType;
using isa::Opcode;
using testing::imm;
using testing::R;

constexpr u32 kThreads = 128;

// out[thread] ← its number, by way of shared memory.
isa::Program copyThroughShared() {
  testing::Assembler code;
  code.program.addressBits = 64;
  code.globalThread(2);
  code.special(5, isa::SpecialRegister::tid_x);
  code.emit(Opcode::mul_lo, DataType::u32, {R(5)}, {R(5), imm(4)});
  code.store(isa::Space::shared, DataType::u32, R(5), R(2)).modifiers.wordAddress = true;
  code.barrier();
  code.load(isa::Space::shared, DataType::u32, 6, R(5)).modifiers.wordAddress = true;
  code.elementAddress(8, 0, R(2));
  code.store(isa::Space::global, DataType::u32, R(8), R(6));
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 16;
  kernel.parameterBytes = 8;
  kernel.sharedBytes = kThreads * 4;
  return code.program;
}

TEST(Presets, CanBeTimed) {
  u32 timed = 0;
  for (const config::Machine& machine : config::presetMachines()) {
    if (!machine.timed) continue;
    ++timed;
    testing::TimedMachine gpu(machine);
    const u32 blocks = machine.multiprocessors + 1;
    const u32* out = gpu.array<u32>(u64{blocks} * kThreads);
    const auto result = gpu.run(copyThroughShared(), {blocks}, {kThreads}, {reinterpret_cast<u64>(out)});
    for (u32 thread = 0; thread < blocks * kThreads; ++thread) ASSERT_EQ(out[thread], thread) << machine.name;
    EXPECT_GT(result.cycles, 0u) << machine.name;
    EXPECT_TRUE(result.violations.empty()) << machine.name << ": " << result.violations.front();
  }
  EXPECT_GT(timed, 10u);
}

// --- chains of dependent instructions

struct Chain {
  const char* name;
  config::LatencyOf config::Sm::*operation;
  config::LatencyOf config::Sm::*part;  // of that class, for machines that tell it from the rest; null: none
  Opcode opcode;
  DataType type;
  u32 words;    // of an operand
  u32 sources;  // the first of them is the result of the instruction before
};

constexpr Chain kChains[] = {
    {"add.u32", &config::Sm::simple, nullptr, Opcode::add, DataType::u32, 1, 2},
    {"add.u64", &config::Sm::simple, &config::Sm::add64, Opcode::add, DataType::u64, 2, 2},
    {"mul.lo.u32", &config::Sm::multiply, nullptr, Opcode::mul_lo, DataType::u32, 1, 2},
    {"div.u32", &config::Sm::divide, nullptr, Opcode::div, DataType::u32, 1, 2},
    {"add.f32", &config::Sm::fma32, &config::Sm::add32, Opcode::add, DataType::f32, 1, 2},
    {"fma.f32", &config::Sm::fma32, nullptr, Opcode::fma, DataType::f32, 1, 3},
    {"fma.f64", &config::Sm::fma64, nullptr, Opcode::fma, DataType::f64, 2, 3},
    {"div.f64", &config::Sm::divide64, nullptr, Opcode::div, DataType::f64, 2, 2},
    {"shl.u32", &config::Sm::simple, &config::Sm::shift, Opcode::shl, DataType::u32, 1, 2},
    {"popc.u32", &config::Sm::special, &config::Sm::count, Opcode::popc, DataType::u32, 1, 1},
    {"fma.f16x2", &config::Sm::fma32, &config::Sm::fma16, Opcode::fma, DataType::f16x2, 1, 3},
    {"ex2.f32", &config::Sm::special, nullptr, Opcode::ex2, DataType::f32, 1, 1},
};

// Of neighbouring registers, which lie in different banks.
isa::Program chainOf(const Chain& chain, u32 length) {
  return testing::twice([&](testing::Assembler& code) {
    for (u32 i = 0; i < length; ++i) {
      isa::Instruction& instruction = code.emit(chain.opcode, chain.type, {R(4)});
      for (u32 source = 0; source < chain.sources; ++source) instruction.sources[source] = R(4 + source * chain.words);
    }
  });
}

u32 statedLatency(const config::Machine& machine, const Chain& chain) {
  const config::LatencyOf& coarse = machine.sm.*chain.operation;
  return chain.part == nullptr ? coarse.latency : config::finerOr(machine.sm.*chain.part, coarse).latency;
}

// From issue to issue, the first of which may wait for what the loop did before.
u64 cyclesOfAStep(const config::Machine& machine, const Chain& chain) {
  constexpr u32 kFirst = 4, kSteps = 12;
  testing::TimedMachine gpu(machine);
  gpu.run(chainOf(chain, kFirst + kSteps + 1), {1}, {32});
  const u64 cycles = testing::second(gpu, testing::kBegin + kFirst + kSteps).issued - testing::second(gpu, testing::kBegin + kFirst).issued;
  EXPECT_EQ(cycles % kSteps, 0u) << machine.name << ", " << chain.name;
  return cycles / kSteps;
}

// What machine files state is what was measured so on silicon.
TEST(Presets, ADependentInstructionWaitsAsLongAsTheMachineFileSays) {
  u32 measured = 0;
  for (const config::Machine& machine : config::presetMachines()) {
    if (!machine.timed || machine.sm.pipeline != config::Pipeline::scoreboard) continue;
    ++measured;
    for (const Chain& chain : kChains)
      EXPECT_EQ(cyclesOfAStep(machine, chain), statedLatency(machine, chain)) << machine.name << ", " << chain.name;
  }
  EXPECT_GT(measured, 10u);
}

}  // namespace
}  // namespace warpwright
