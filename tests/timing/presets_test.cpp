// Every machine of configs/ that describes timing can be timed, as it stands.
#include <gtest/gtest.h>

#include "timed_machine.hpp"

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

}  // namespace
}  // namespace warpwright
