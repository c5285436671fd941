// What becomes of each issue slot: a slot that issues nothing has the cause that the kernel gives it, and is charged to the instruction
// that waits.
#include <gtest/gtest.h>

#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using sm::Slot;
using sm::SlotCounts;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::param;
using testing::R;
using testing::TimedMachine;

// A launch whose code lies in the instruction cache: slots are lost for what the kernel does, and not for fetches. One block.
class WarmLaunch {
 public:
  WarmLaunch(const Machine& config, Assembler& code, u32 warps = 1) : machine_(config, {.lines = true}) {
    code.program.addressBits = 64;
    code.exit();
    isa::Function& kernel = code.function("k");
    kernel.registers = 32;
    kernel.sharedBytes = 4096;
    kernel.parameterBytes = 8;
    const exec::LoadedProgram& program = machine_.load(code.program);
    const std::vector<u64> parameters{reinterpret_cast<u64>(machine_.array<u64>(1024))};
    machine_.run(program, {1}, {warps * 32}, parameters);
    machine_.forgetTimeline();
    result_ = machine_.run(program, {1}, {warps * 32}, parameters);
    EXPECT_TRUE(result_.violations.empty());
  }

  const SlotCounts& slots() const { return result_.stats.sm.slots; }
  const SlotCounts& lostAt(u32 pc) const { return result_.stalls.at(pc); }
  // The cycle in which the warp issues the instruction.
  u64 issue(u32 pc, u32 warp = 0) const { return machine_.timeline().at(pc, warp).at(0).issued; }
  // Cycles between the issue of the instruction and that of the one before.
  u64 waitOf(u32 pc) const { return issue(pc) - issue(pc - 1) - 1; }

  // One warp on one scheduler: all slots between the two are lost for that cause, at that instruction.
  void expectOnly(u32 pc, Slot cause, u64 slots) const {
    EXPECT_EQ(waitOf(pc), slots);
    EXPECT_EQ(lostAt(pc)[cause], slots) << name(cause);
    EXPECT_EQ(lostAt(pc).total(), slots) << "for another cause than " << name(cause);
  }

 private:
  TimedMachine machine_;
  machines::TimedResult result_;
};

void add(Assembler& code, u32 to, u32 from) { code.emit(Opcode::add, DataType::u32, {R(to)}, {R(from), R(10)}); }

// As many that wait for nothing as a fetch brings: what follows is there before it is needed.
u32 padded(Assembler& code) {
  for (u32 i = 0; i < 8; ++i) add(code, 12 + i, 11);
  return code.here();
}

Machine withoutCollectors() {
  Machine machine = fermi();
  machine.sm.collectors = 0;
  return machine;
}

TEST(IssueSlots, ResultsOfPipesAreDependenceOnComputation) {
  Assembler code;
  const u32 first = padded(code);
  add(code, 4, 5);
  add(code, 4, 4);
  add(code, 4, 4);
  const Machine config = withoutCollectors();
  const WarmLaunch launch(config, code);
  launch.expectOnly(first + 1, Slot::computeDependence, config.sm.simple.latency - 1);
  launch.expectOnly(first + 2, Slot::computeDependence, config.sm.simple.latency - 1);
}

TEST(IssueSlots, LoadsAreDependenceOnMemory) {
  for (const Space space : {Space::shared, Space::global}) {
    Assembler code;
    code.emit(Opcode::mov, DataType::u64, {R(2)}, {space == Space::shared ? imm(0) : param(0)});
    const u32 first = padded(code);
    code.load(space, DataType::u32, 4, R(2)).modifiers.wordAddress = space == Space::shared;
    add(code, 5, 4);
    const Machine config = withoutCollectors();
    const WarmLaunch launch(config, code);
    launch.expectOnly(first + 1, Slot::memoryDependence, launch.waitOf(first + 1));
    EXPECT_GE(launch.waitOf(first + 1), space == Space::shared ? config.sm.sharedLatency : config.partition.latency);
  }
}

TEST(IssueSlots, AFullPipeIsStructuralInComputation) {
  Assembler code;
  const u32 first = padded(code);
  for (u32 i = 0; i < 3; ++i) code.emit(Opcode::add, DataType::f64, {R(4 + 2 * i)}, {R(20), R(22)});
  const Machine config = withoutCollectors();
  const WarmLaunch launch(config, code);
  launch.expectOnly(first + 1, Slot::computeStructural, config.sm.fma64.interval - 1);
  launch.expectOnly(first + 2, Slot::computeStructural, config.sm.fma64.interval - 1);
}

// The unit holds one instruction, which stays for as many cycles as lanes meet in a bank.
TEST(IssueSlots, AFullLoadStoreUnitIsStructuralInMemory) {
  Assembler code;
  code.special(2, isa::SpecialRegister::tid_x);
  code.emit(Opcode::mul_lo, DataType::u32, {R(2)}, {R(2), imm(32 * 4)});
  const u32 first = padded(code);
  for (u32 i = 0; i < 4; ++i) code.load(Space::shared, DataType::u32, 4 + i, R(2)).modifiers.wordAddress = true;
  Machine config = withoutCollectors();
  config.sm.memoryQueue = 1;
  const WarmLaunch launch(config, code);
  // From the second on, the banks are what the load before waits for.
  launch.expectOnly(first + 2, Slot::memoryStructural, 32 - 1);
  launch.expectOnly(first + 3, Slot::memoryStructural, 32 - 1);
}

TEST(IssueSlots, AFenceWaitsForStores) {
  Assembler code;
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
  const u32 first = padded(code);
  code.store(Space::global, DataType::u32, R(2), R(10));
  code.emit(Opcode::fence, DataType::u32);
  const WarmLaunch launch(withoutCollectors(), code);
  launch.expectOnly(first + 1, Slot::fence, launch.waitOf(first + 1));
  EXPECT_GE(launch.waitOf(first + 1), withoutCollectors().partition.latency);
}

TEST(IssueSlots, ABranchIsWaitedForAsFetch) {
  Assembler code;
  const u32 first = padded(code);
  code.jump(first + 1);
  add(code, 4, 5);
  const Machine config = withoutCollectors();
  const WarmLaunch launch(config, code);
  launch.expectOnly(first + 1, Slot::fetch, config.sm.branch.latency - 1);
}

// Warp 1, on a scheduler of its own, comes late to the barrier; the first scheduler has nothing but warp 0, which waits there.
TEST(IssueSlots, WhoWaitsForAnotherWarpIsAtABarrier) {
  Assembler code;
  code.special(2, isa::SpecialRegister::warpid);
  code.compare(1, isa::Compare::eq, DataType::u32, R(2), imm(0));
  const u32 split = code.branch(testing::P(1));
  for (u32 i = 0; i < 6; ++i) code.emit(Opcode::div, DataType::u32, {R(4)}, {R(4), R(2)});
  const u32 barrier = code.here();
  code.at(split).target = barrier;
  code.barrier();
  add(code, 5, 4);
  Machine config = withoutCollectors();
  config.schedulersPerSm = 2;
  const WarmLaunch launch(config, code, 2);
  const u64 waited = launch.issue(barrier, 1) - launch.issue(barrier, 0);
  EXPECT_GE(waited, 5 * (config.sm.divide.latency - 1));
  // The last to come lets warp 0 go on in the next cycle; what the barrier itself takes is a matter of fetch and branches.
  EXPECT_NEAR(static_cast<double>(launch.slots()[Slot::barrier]), static_cast<double>(waited), 1.0);
  EXPECT_EQ(launch.lostAt(barrier)[Slot::barrier], launch.slots()[Slot::barrier]) << "charged to the barrier";
}

TEST(IssueSlots, ASchedulerWithoutWarpsHasNone) {
  Assembler code;
  for (u32 i = 0; i < 20; ++i) add(code, 4, 4);
  Machine config = withoutCollectors();
  config.schedulersPerSm = 4;
  const WarmLaunch launch(config, code);
  const u32 last = code.here() - 1;
  // Three never have a warp, and the first has none once its warp has issued its last instruction.
  EXPECT_GE(launch.slots()[Slot::noWarp], 3 * (launch.issue(last) - launch.issue(0)));
  EXPECT_EQ(launch.slots()[Slot::issued], code.here());
  u64 charged = 0;
  for (Pc pc{0}; pc < code.here(); ++pc) {
    EXPECT_EQ(launch.lostAt(pc)[Slot::noWarp], 0u) << "no instruction is to blame";
    charged += launch.lostAt(pc).total();
  }
  EXPECT_EQ(charged + launch.slots()[Slot::noWarp] + launch.slots()[Slot::issued], launch.slots().total());
}

// Both slots of a cycle are lost with the first, and the second alone where one instruction issues.
TEST(IssueSlots, ADualIssueCycleHasTwoSlots) {
  Assembler code;
  const u32 first = padded(code);
  add(code, 4, 5);
  add(code, 4, 4);
  Machine config = withoutCollectors();
  config.sm.issueWidth = 2;
  config.sm.writeBackPorts = 2;
  config.sm.integer.count = 2;
  const WarmLaunch launch(config, code);
  const u64 wait = launch.issue(first + 1) - launch.issue(first);
  EXPECT_EQ(wait, config.sm.simple.latency);
  // In the cycle of the first add, the second slot; then both in each of the cycles between.
  EXPECT_EQ(launch.lostAt(first + 1)[Slot::computeDependence], 1 + 2 * (wait - 1));
}

}  // namespace
}  // namespace warpwright
