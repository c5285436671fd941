// The energy of instructions: what each causes, and that all of them and the rest make up the launch.
#include <gtest/gtest.h>

#include "compiler/compiler.hpp"
#include "isa/pipe_work.hpp"
#include "machines/energy/model.hpp"
#include "ptx/parser.hpp"
#include "random_program.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using energy::Account;
using isa::DataType;
using isa::Opcode;
using machines::LineTiming;
using testing::Assembler;
using testing::fermi;
using testing::R;
using testing::TimedMachine;

// By pc, as far as the launch has caused anything.
std::vector<Account> accountsOf(const machines::EnergyModel& model, const isa::Program& program, const machines::TimedResult& result) {
  std::vector<Account> accounts;
  const std::size_t count = std::max(result.traffic.size(), result.functional.counts.size());
  for (Pc pc{0}; pc < count; ++pc) {
    LineTiming line;
    if (pc < result.traffic.size()) line.traffic = result.traffic[pc];
    if (pc < result.functional.counts.size()) {
      const exec::InstructionCount& issued = result.functional.counts[pc];
      const isa::PipeWork work = isa::pipeWorkOf(program.code[pc], program.addressBits, 32);
      line.warpInstructions = issued.warps;
      line.operations[work.operation] += work.of(issued.warps, issued.lanes);
    }
    accounts.push_back(model.account(line));
  }
  return accounts;
}

u64 countOf(const Account& account, const char* unit, const char* event) {
  const Account::Line* line = account.find(unit, event);
  return line == nullptr ? 0 : line->count;
}

// A warp adds, and loads a word of a line that only DRAM has.
TEST(EnergyOfInstructions, IsOfWhatTheyCause) {
  const config::Machine config = fermi();
  Assembler code;
  code.program.addressBits = 64;
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {testing::param(0)});
  const u32 add = code.here();
  code.emit(Opcode::add, DataType::u32, {R(5)}, {R(6), R(7)});
  const u32 load = code.here();
  code.load(isa::Space::global, DataType::u32, 4, R(2));
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 32;
  kernel.parameterBytes = 8;
  TimedMachine machine(config, {.lines = true});
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(32));
  const machines::TimedResult result = machine.run(code.program, {1}, {32}, {words});
  ASSERT_EQ(result.violations, std::vector<std::string>{});
  const machines::EnergyModel model(energy::loadTable("40nm"), config);
  const std::vector<Account> accounts = accountsOf(model, code.program, result);
  EXPECT_EQ(countOf(accounts[add], "pipe", "int_add"), 32u);
  EXPECT_EQ(countOf(accounts[add], "instruction", "issue"), 1u);
  EXPECT_EQ(countOf(accounts[add], "register_file", "read"), 2u);
  EXPECT_EQ(countOf(accounts[add], "register_file", "write"), 1u);
  EXPECT_EQ(countOf(accounts[add], "dram", "read"), 0u);
  EXPECT_EQ(countOf(accounts[load], "register_file", "read"), 2u) << "an address of 64 bits";
  EXPECT_EQ(countOf(accounts[load], "register_file", "write"), 1u);
  EXPECT_EQ(countOf(accounts[load], "coalescer", "lane"), 32u);
  EXPECT_EQ(countOf(accounts[load], "data_crossbar", "cache_word"), 32u);
  EXPECT_EQ(countOf(accounts[load], "l1d", "fill"), 128u / 32);
  EXPECT_EQ(countOf(accounts[load], "l1d", "mshr_allocate"), 1u);
  EXPECT_EQ(countOf(accounts[load], "dram", "activate"), 1u);
  EXPECT_EQ(countOf(accounts[load], "dram", "read"), 128u / config::columnBytes(config.dram));
}

// Two launches of a random program, of which the second finds what the first has left: instructions and the rest are all of it. Of the
// first, on a machine where nothing was before, the rest is time, and instructions that were issued again.
TEST(EnergyOfInstructions, AndTheRestAreTheLaunch) {
  config::Machine config = fermi(2);
  config.l1d.bytes = 2048;
  config.l2.bytes = 2048;
  config.l2CacheBytes = u64{config.l2.bytes} * config.partition.slices * config.dram.channels;
  config::validate(config);
  const machines::EnergyModel model(energy::loadTable("40nm"), config);
  const testing::RandomProgramOptions shape;
  const isa::Program program = compiler::compile(ptx::parse(testing::randomProgram(7, shape), "test.ptx"), {});
  TimedMachine machine(config, {.lines = true});
  constexpr u32 kThreads = 96, kBlocks = 6;
  auto* in = machine.array<u32>(kThreads * kBlocks * testing::kInputWords);
  auto* out = machine.array<u8>(u64{kThreads} * kBlocks * testing::outputBytes(shape));
  const auto& loaded = machine.load(program);
  for (u32 launch = 0; launch < 2; ++launch) {
    const machines::TimedResult result =
        machine.run(loaded, {kBlocks}, {kThreads}, {reinterpret_cast<u64>(out), reinterpret_cast<u64>(in)});
    ASSERT_EQ(result.violations, std::vector<std::string>{});
    const Account whole = model.account(result.stats);
    std::vector<Account> parts = accountsOf(model, program, result);
    const Account rest = whole.rest(parts);
    EXPECT_GT(rest.of("sm").value, 0);
    for (const char* unit : {"pipe", "register_file", "operand_collector", "coalescer", "data_crossbar", "shared_memory"}) {
      for (const Account::Line& line : rest.lines()) {
        if (line.unit == unit && line.event != "leakage") EXPECT_EQ(line.count, 0u) << unit << "." << line.event;
      }
    }
    EXPECT_EQ(countOf(rest, "instruction", "issue"), result.stats.sm.replays);
    EXPECT_EQ(countOf(rest, "dram", "read"), result.otherTraffic.dram.bytesRead / config::columnBytes(config.dram));
    stats::Conservation laws;
    parts.push_back(rest);
    checkParts(whole, parts, laws);
    EXPECT_TRUE(laws.holds()) << laws.violations().front();
  }
}

}  // namespace
}  // namespace warpwright
