// What affine vectors beside the banks of shared memory change of times.
#include <gtest/gtest.h>

#include "mechanisms/avc/settings.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using mechanisms::avc::Settings;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::Step;
using testing::TimedMachine;

constexpr u32 kExtraLatency = 5;

Machine withVectors() {
  Machine machine = fermi();
  machine.mechanisms.add(config::mechanismKind("avc"));
  *std::any_cast<Settings>(machine.mechanisms.find("avc")) = {.extraLatency = kExtraLatency, .shared = true};
  return machine;
}

// Stores thread numbers, or their squares, and loads them at a stride of words.
isa::Program storeAndLoad(bool squares, u32 strideWords) {
  isa::Program program = testing::twice([&](Assembler& code) {
    code.special(2, isa::SpecialRegister::tid_x);
    code.emit(Opcode::mul_lo, DataType::u32, {R(3)}, {R(2), imm(4)});
    code.emit(Opcode::mul_lo, DataType::u32, {R(4)}, {R(2), imm(u64{strideWords} * 4)});
    code.emit(Opcode::mul_lo, DataType::u32, {R(5)}, {R(2), squares ? R(2) : imm(1)});
    code.store(Space::shared, DataType::u32, R(3), R(5)).modifiers.wordAddress = true;
    code.load(Space::shared, DataType::u32, 6, R(4)).modifiers.wordAddress = true;
    code.emit(Opcode::add, DataType::u32, {R(7)}, {R(6), R(6)});
  });
  program.functions.front().sharedBytes = 32 * 32 * 4 + 4;
  return program;
}

u64 loadTakes(const Machine& config, const isa::Program& program, u64 passes) {
  TimedMachine machine(config);
  const auto result = machine.run(program, {1}, {32});
  EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  EXPECT_EQ(result.stats.sm.loadStore.sharedPasses, passes);
  const Step load = second(machine, kBegin + 5);
  return load.completed - load.issued;
}

TEST(AvcShared, ALoadOfAnAffineRowTakesTheTimeOfDecoding) {
  const u64 baseline = loadTakes(fermi(), storeAndLoad(false, 1), 4);
  EXPECT_EQ(loadTakes(withVectors(), storeAndLoad(false, 1), 4), baseline + kExtraLatency);
  EXPECT_EQ(loadTakes(withVectors(), storeAndLoad(true, 1), 4), baseline) << "squares are in the banks";
}

// A column has one word here and 31 in the banks: one pass of each, side by side.
TEST(AvcShared, LanesThatAreServedHereDoNotConflict) {
  const u64 baseline = loadTakes(fermi(), storeAndLoad(false, 32), 2 * (1 + 32));
  EXPECT_EQ(loadTakes(withVectors(), storeAndLoad(false, 32), 2 * (1 + 31)), baseline - 1 + kExtraLatency);
}

}  // namespace
}  // namespace warpwright
