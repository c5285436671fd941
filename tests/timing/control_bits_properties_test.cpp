// Control bits keep every instruction from what it depends on: random programs on timed machines, with a listener that knows of registers
// alone; and the programs of workloads/, along ways through their code.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "hazard_checker.hpp"
#include "ptx/parser.hpp"
#include "random_program.hpp"
#include "runtime/code_units.hpp"
#include "runtime/compile_options.hpp"
#include "timed_machine.hpp"
#include "unit/compiler/control_bits_walk.hpp"

namespace warpwright {
namespace {

using config::Machine;
using testing::HazardChecker;
using testing::TimedMachine;

Machine controlledMachine(const std::vector<std::string>& settings) {
  std::vector<std::string> all{"chip.multiprocessors=2", "sm.schedulers=2", "sm.pipeline.collectors=0",
                               "sm.pipeline.dependences=control_bits", "sm.pipeline.scheduler=cggty"};
  all.insert(all.end(), settings.begin(), settings.end());
  return config::loadMachine("gtx480", all);
}

// Short and long latencies, some beyond a stall.
const std::vector<std::string> kLatencies[] = {
    {"sm.operations.simple.latency=4", "sm.operations.fma32.latency=5", "sm.operations.multiply.latency=6"},
    {"sm.operations.simple.latency=15", "sm.operations.fma32.latency=16", "sm.operations.multiply.latency=2"},
    // … and with all that delays reads of operands.
    {"sm.operations.simple.latency=4", "sm.operations.fma32.latency=5", "sm.pipeline.operand_window=3", "sm.pipeline.operand_cache=true",
     "sm.pipeline.register_banks=4", "sm.memory.sub_core_queue=5", "sm.memory.queue=16", "sm.pipes.load_store.count=2"},
    {"sm.operations.simple.latency=2", "sm.operations.convert.latency=3", "sm.pipeline.write_back_ports=1", "sm.reconvergence=stack"},
};

void expectNoHazards(u64 seed, const testing::RandomProgramOptions& shape, const Machine& config, u32 maxRegisters = isa::kMaxRegisters) {
  constexpr u32 kThreads = 96, kBlocks = 6;
  compiler::Options options = runtime::compileOptions(config, maxRegisters);
  const std::string ptx = testing::randomProgram(seed, shape);
  const isa::Program program = compiler::compile(ptx::parse(ptx, "random.ptx"), options);
  ASSERT_FALSE(program.control.empty());
  std::vector<HazardChecker> checkers(config.multiprocessors, HazardChecker(shape.addressBits));
  machines::TimingOptions timing;
  timing.listenerOf = [&](SmId sm) { return &checkers[sm]; };
  TimedMachine machine(config, timing);
  auto* in = machine.array<u32>(kThreads * kBlocks * testing::kInputWords);
  auto* out = machine.array<u8>(u64{kThreads} * kBlocks * testing::outputBytes(shape));
  std::mt19937_64 random(seed);
  for (u32 i = 0; i < kThreads * kBlocks * testing::kInputWords; ++i) in[i] = static_cast<u32>(random() >> random() % 64);
  EXPECT_TRUE(machine.run(program, {kBlocks}, {kThreads}, {reinterpret_cast<u64>(out), reinterpret_cast<u64>(in)}).violations.empty());
  for (const HazardChecker& checker : checkers) {
    ASSERT_EQ(checker.problem(), "") << "seed " << seed << "\n" << ptx;
    EXPECT_GT(checker.instructions(), 100u);
  }
}

TEST(ControlBitProperties, NoInstructionOfARandomProgramIsEarly) {
  u64 seed = 1;
  for (const auto& settings : kLatencies)
    for (u32 i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(expectNoHazards(seed++, {.fuel = 16}, controlledMachine(settings)));
}

TEST(ControlBitProperties, NorOfOneThatCallsAndSpills) {
  for (u64 seed = 51; seed <= 53; ++seed)
    ASSERT_NO_FATAL_FAILURE(expectNoHazards(seed, {.fuel = 8, .calls = true}, controlledMachine(kLatencies[0]), 32));
}

// The listener finds what is wrong.
TEST(ControlBitProperties, AnEarlyInstructionIsNoticed) {
  const Machine config = controlledMachine(kLatencies[0]);
  testing::Assembler code;
  code.program.addressBits = 64;
  code.emit(isa::Opcode::add, isa::DataType::u32, {testing::R(4)}, {testing::R(5), testing::R(6)});
  code.emit(isa::Opcode::add, isa::DataType::u32, {testing::R(7)}, {testing::R(4), testing::R(6)});
  code.exit();
  code.function("k").registers = 32;
  for (const u8 stall : {3, 4}) {
    code.program.control.assign(3, {.stall = stall});
    HazardChecker checker;
    machines::TimingOptions timing;
    timing.listenerOf = [&](SmId) { return &checker; };
    TimedMachine(config, timing).run(code.program, {1}, {32});
    EXPECT_EQ(checker.problem().empty(), stall == 4) << checker.problem();
  }
}

// Those that are built; a build without CUDA code has none.
TEST(ControlBitProperties, NoWorkloadIsEarlyAlongAnyWay) {
  const std::filesystem::path folder = std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "workloads";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no workloads in this build";
  const Machine config = config::loadMachine("h100-modern");
  u32 programs = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (!file.is_regular_file() || file.path().has_extension()) continue;
    std::vector<runtime::CodeUnit> units;
    try {
      units = runtime::codeUnits(file.path().string(), config);
    } catch (const Error&) {
      continue;  // no program
    }
    ++programs;
    for (const runtime::CodeUnit& unit : units) {
      const compiler::Options options = runtime::optionsFor(unit, config, isa::kMaxRegisters);
      const isa::Program program = compiler::compile(runtime::parseUnit(unit), options);
      ASSERT_EQ(testing::wrongWithControlBits(program, *options.issueTiming, 4, 5000), "") << file.path() << ", " << unit.name;
    }
  }
  if (programs == 0) GTEST_SKIP() << "no workloads in this build";
}

}  // namespace
}  // namespace warpwright
