// Assist warps on the timed machine: what each priority promises, what triggers them, and that they are the same however they are
// simulated.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "machines/timing_profile.hpp"
#include "mechanisms/assist_warps/settings.hpp"
#include "mechanisms/assist_warps/statistics.hpp"
#include "ptx/parser.hpp"
#include "runtime/compile_options.hpp"
#include "runtime/device.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using mechanisms::assist_warps::RoutineStatistics;
using mechanisms::assist_warps::Settings;
using mechanisms::assist_warps::Statistics;
using sm::Context;
using testing::fermi;
using testing::Step;
using testing::TimedMachine;

constexpr const char* kName = "assist-warps";
constexpr u32 kBlocks = 6, kThreads = 128, kRounds = 4, kAll = kBlocks * kThreads, kWords = 16384;
constexpr u32 kRemainders = 8192, kSums = 13312;  // words at which the stores of the rounds and the last one begin

constexpr const char* kHead = R"(
.version 7.0
.target sm_20
.address_size 64
)";

// Four rounds of a load, a store of what it has, and a branch that diverges; then a store and an atomic.
constexpr const char* kWork = R"(
.visible .entry work(.param .u64 out)
{
  .reg .u32 %r<16>;
  .reg .u64 %d<4>;
  .reg .pred %p<3>;
  ld.param.u64 %d0, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d1, %d0, %d1;
  mov.u32 %r5, 0;
  mov.u32 %r8, 0;
round:
  ld.global.u32 %r6, [%d1];
  add.u32 %r7, %r6, %r5;
  rem.u32 %r7, %r7, 3;
  st.global.u32 [%d1+32768], %r7;
  add.u64 %d1, %d1, 3072;
  and.b32 %r9, %r6, 1;
  setp.eq.u32 %p0, %r9, 0;
  @%p0 bra even;
  add.u32 %r8, %r8, %r7;
  ld.global.u32 %r10, [%d0];
  add.u32 %r8, %r8, %r10;
even:
  bar.sync 0;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 4;
  @%p1 bra round;
  st.global.u32 [%d1+40960], %r8;
  atom.global.add.u32 %r11, [%d0+65532], 1;
  ret;
}
)";

std::string countingZeros(const std::string& annotation) {
  return R"(
.visible .func (.param .b32 zeros) countZeros(.param .b32 stored)
.pragma ")" +
         annotation + R"(";
{
  .reg .u32 %r<3>;
  .reg .pred %p;
  ld.param.b32 %r0, [stored];
  setp.eq.u32 %p, %r0, 0;
  selp.u32 %r1, 1, 0, %p;
  st.param.b32 [zeros], %r1;
  ret;
}
)";
}

// Counts to ten, and loads from the address that it is given, or from 8.
std::string looping(const std::string& annotation, bool takesAddress = false) {
  const std::string parameter = takesAddress ? ".param .b64 address" : "";
  const std::string address = takesAddress ? "ld.param.b64 %d0, [address];" : "mov.u64 %d0, 8;";
  return ".visible .func looping(" + parameter + ")\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<3>;
  .reg .u64 %d0;
  .reg .pred %p;
  mov.u32 %r0, 0;
  )" + address +
         R"(
again:
  .pragma "nounroll";
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p, %r0, 10;
  @%p bra again;
  ld.global.u32 %r1, [%d0];
  add.u32 %r1, %r1, %r0;
  st.global.u32 [%d0], %r1;
  ret;
}
)";
}

std::string doubling() {
  return R"(
.visible .func (.param .b32 twice) doubling(.param .b32 loaded)
.pragma "assist on=load priority=high in=value out=value kernel=work";
{
  .reg .u32 %r<2>;
  ld.param.b32 %r0, [loaded];
  shl.b32 %r1, %r0, 1;
  st.param.b32 [twice], %r1;
  ret;
}
)";
}

Machine withAssistWarps(Machine machine, const std::function<void(Settings&)>& change = {}) {
  machine.mechanisms.add(config::mechanismKind(kName));
  if (change) change(*std::any_cast<Settings>(machine.mechanisms.find(kName)));
  return machine;
}

struct Ran {
  machines::TimedResult result;
  std::vector<Step> steps;
  Statistics counted;
  std::map<std::string, RoutineStatistics> routines;
  std::string counters;  // of everything but the mechanism
  std::string all;
  std::vector<u32> memory;
};

class NotesPicks final : public sm::WarpScheduler {
 public:
  NotesPicks(std::unique_ptr<WarpScheduler> inner, std::set<u64>& picked) : inner_(std::move(inner)), picked_(picked) {}
  SlotId pick(const sm::SchedulerView& view) override {
    const SlotId slot = inner_->pick(view);
    if (slot != sm::kNoWarp) picked_.insert(view.now.ticks);
    return slot;
  }
  void issued(SlotId slot) override { inner_->issued(slot); }

 private:
  std::unique_ptr<WarpScheduler> inner_;
  std::set<u64>& picked_;
};

class NotingPicks final : public mechanisms::Mechanism {
 public:
  explicit NotingPicks(std::set<u64>& picked) : picked_(picked) {}
  void equip(sm::Parts& parts, SmId) override {
    parts.scheduler.wrap(
        [this](std::unique_ptr<sm::WarpScheduler> inner, u32) { return std::make_unique<NotesPicks>(std::move(inner), picked_); });
  }

 private:
  std::set<u64>& picked_;
};

// Once, with caches as they are after another launch of the same. picked: cycles in which a scheduler has chosen a warp.
Ran run(const Machine& config, const std::string& code, machines::TimingOptions options = {}, std::set<u64>* picked = nullptr) {
  const isa::Program program =
      compiler::compile(ptx::parse(std::string(kHead) + code, "work.ptx"), runtime::compileOptions(config, isa::kMaxRegisters));
  mechanisms::Mechanisms mechanisms = mechanisms::makeMechanisms(config);
  const u32 registers = mechanisms::needsOf(mechanisms, program, *program.findFunction("work")).registers;
  if (picked != nullptr) mechanisms.push_back(std::make_unique<NotingPicks>(*picked));
  TimedMachine machine(config, options, std::move(mechanisms));
  machine.extraRegisters = registers;
  const exec::LoadedProgram& loaded = machine.load(program);
  u32* words = machine.array<u32>(kWords);
  for (u32 i = 0; i < kWords; ++i) words[i] = i * 7 % 11;
  Ran ran;
  ran.result = machine.run(loaded, {kBlocks}, {kThreads}, {reinterpret_cast<u64>(words)});
  ran.steps = machine.timeline().steps();
  ran.memory.assign(words, words + kWords);
  nlohmann::json counters = stats::toJson(ran.result.stats);
  ran.all = counters.dump();
  counters.erase("mechanisms");
  ran.counters = counters.dump();
  ran.result.stats.mechanisms.forEach([&](const std::string& name, const stats::AnyStatistics& each) {
    if (const auto* counted = dynamic_cast<const stats::Structure<Statistics>*>(&each)) ran.counted = counted->value();
    if (const auto* routine = dynamic_cast<const stats::Structure<RoutineStatistics>*>(&each)) ran.routines[name] = routine->value();
  });
  for (const std::string& law : ran.result.violations) ADD_FAILURE() << law;
  stats::Conservation laws;
  check(ran.counted, laws);
  for (const std::string& law : laws.violations()) ADD_FAILURE() << law;
  EXPECT_EQ(ran.counted.instructions, ran.result.stats.sm.assistInstructions);
  return ran;
}

u64 zerosStored(const std::vector<u32>& memory) {
  const auto first = memory.begin() + kRemainders, last = memory.begin() + kSums;
  return static_cast<u64>(std::count(first, first + kRounds * kAll, 0u) + std::count(last, last + kAll, 0u));
}

// Where the kernel finds zeros alone: it stores n modulo 3 in round n of 4, and at last the sum of no odd numbers.
constexpr u64 kZerosOfEmptyMemory = kAll * (2 + 1);
constexpr u64 kStores = kAll / 32 * (kRounds + 1);  // of warps

TEST(AssistWarps, OfHighPriorityCountEveryStoreOfZero) {
  const Ran without = run(fermi(2), kWork);
  const Ran with = run(withAssistWarps(fermi(2)), kWork + countingZeros("assist on=store priority=high in=value out=count"));
  EXPECT_EQ(with.memory, without.memory) << "the program's results";
  EXPECT_GT(zerosStored(with.memory), 100u);
  EXPECT_EQ(with.counted.counted, zerosStored(with.memory));
  EXPECT_EQ(with.counted.deployedHigh, kStores);
  EXPECT_EQ(with.counted.wordsIn, kStores);
  EXPECT_EQ(with.routines.at("assist_routine_countZeros").counted, with.counted.counted);
  EXPECT_GT(with.result.cycles, without.result.cycles);
}

// Between a store and the warp's next instruction lies the whole routine.
TEST(AssistWarps, OfHighPriorityComeBeforeTheirWarp) {
  Machine machine = fermi();
  machine.schedulersPerSm = 2;
  const Ran ran = run(withAssistWarps(machine), kWork + countingZeros("assist on=store priority=high in=value out=count"));
  const u64 each = ran.counted.instructions / ran.counted.deployed();
  std::map<u32, u64> due;  // by slot: instructions of assist warps that come next
  u64 stores = 0;
  for (const Step& step : ran.steps) {
    u64& rest = due[step.what.slot];
    if (step.what.helper != Context::kParent) {
      ASSERT_GT(rest, 0u);
      --rest;
      continue;
    }
    EXPECT_EQ(rest, 0u) << "at " << step.issued;
    if (step.what.instruction->opcode != isa::Opcode::st) continue;
    rest = each;
    ++stores;
  }
  EXPECT_EQ(stores, kStores);
}

TEST(AssistWarps, OfLowPriorityTakeNoSlotThatAWarpCouldUse) {
  std::set<u64> picked;
  const Ran ran = run(withAssistWarps(fermi()), kWork + looping("assist on=store,load priority=low in=address", true), {}, &picked);
  u64 seen = 0;
  for (const Step& step : ran.steps) {
    if (step.what.helper == Context::kParent) continue;
    EXPECT_FALSE(picked.contains(step.issued)) << step.issued;
    ++seen;
  }
  EXPECT_GT(seen, 300u);
}

// Cycles in which assist warps issued, by slot of their warps; 99: all slots together.
std::map<u32, std::vector<u64>> issuesOf(const Ran& ran) {
  std::map<u32, std::vector<u64>> issues;
  for (const Step& step : ran.steps) {
    if (step.what.helper == Context::kParent) continue;
    issues[step.what.slot].push_back(step.issued);
    issues[99].push_back(step.issued);
  }
  for (auto& [slot, cycles] : issues) std::sort(cycles.begin(), cycles.end());
  return issues;
}
u64 shortestDistance(const std::vector<u64>& cycles) {
  u64 least = ~u64{0};
  for (std::size_t i = 1; i < cycles.size(); ++i) least = std::min(least, cycles[i] - cycles[i - 1]);
  return least;
}

// What is staged in a cycle issues in the next at the earliest, and its place is free in the one behind that.
TEST(AssistWarps, IssueOnlyWhatHasBeenStaged) {
  Machine machine = fermi();
  machine.schedulersPerSm = 2;
  const auto narrow = [](Settings& settings) { settings.warpEntries = settings.lowEntries = 1; };
  for (const std::string priority : {"high", "normal", "low"}) {
    const std::string code = kWork + countingZeros("assist on=store priority=" + priority + " in=value out=count");
    const Ran wide = run(withAssistWarps(machine), code), one = run(withAssistWarps(machine, narrow), code);
    const auto issues = issuesOf(one);
    for (const auto& [slot, cycles] : issues) {
      if (slot == 99 && priority != "low") continue;
      EXPECT_GE(shortestDistance(cycles), 2u) << priority << " in " << slot;
    }
    EXPECT_GE(one.counted.unstaged, one.counted.instructions - one.counted.ended) << priority;
    EXPECT_LT(shortestDistance(issuesOf(wide).at(99)), 2u) << priority;
  }
}

// The loop goes back nine times, each time from the instruction before one that is staged already.
TEST(AssistWarps, DropWhatIsStagedBehindAJump) {
  const Ran ran = run(withAssistWarps(fermi()), kWork + looping("assist on=atomic priority=high"));
  EXPECT_GT(ran.counted.flushed, 0u);
  EXPECT_LE(ran.counted.flushed, 9 * ran.counted.deployedHigh);
}

TEST(AssistWarps, WaitLongerForANarrowerDecoder) {
  Machine machine = fermi();
  machine.schedulersPerSm = 2;
  const std::string code = kWork + countingZeros("assist on=store priority=high in=value out=count");
  const auto unstaged = [&](u32 width) {
    const Ran ran = run(withAssistWarps(machine, [width](Settings& settings) { settings.width = width; }), code);
    EXPECT_LE(ran.counted.staged, width * ran.result.cycles);
    return ran.counted.unstaged;
  };
  EXPECT_GT(unstaged(1), unstaged(4));
}

TEST(AssistWarps, WithoutARoutineAreTheBaselineToTheBit) {
  const Machine machine = fermi(2);
  const std::string plain = run(machine, kWork).counters;
  EXPECT_EQ(run(withAssistWarps(machine), kWork).counters, plain);
  EXPECT_EQ(run(withAssistWarps(machine), kWork + looping("assist on=load kernel=other")).counters, plain) << "of another kernel";
  const auto none = [](Settings& settings) { settings.only = "nothing"; };
  EXPECT_EQ(run(withAssistWarps(machine, none), kWork + looping("assist on=load")).counters, plain) << "none is enabled";
}

TEST(AssistWarps, ThatAreSpeculativeDoNotFault) {
  for (const std::string priority : {"high", "normal", "low"}) {
    const Ran ran = run(withAssistWarps(fermi(2)), kWork + looping("assist on=load priority=" + priority));
    EXPECT_EQ(ran.memory, run(fermi(2), kWork).memory) << priority;
    EXPECT_GT(ran.counted.deployed(), 0u) << priority;
  }
}

// What the warp works with is what the routine has given back.
TEST(AssistWarps, GiveResultsBackToLoads) {
  const Ran without = run(fermi(2), kWork), with = run(withAssistWarps(fermi(2)), kWork + doubling());
  for (u32 i = 0; i < kRounds * kAll; ++i) {
    const u32 round = i / kAll, loaded = i * 7 % 11;
    ASSERT_EQ(without.memory[kRemainders + i], (loaded + round) % 3) << i;
    ASSERT_EQ(with.memory[kRemainders + i], (2 * loaded + round) % 3) << i;
  }
  EXPECT_EQ(with.counted.wordsOut, with.counted.deployedHigh);
}

TEST(AssistWarps, KnowTheAddressesOfLoads) {
  // The routine adds ten to what each load of the first launch has loaded, behind the warp's back.
  const Ran ran = run(withAssistWarps(fermi()), kWork + looping("assist on=atomic priority=high in=address", true));
  EXPECT_EQ(ran.counted.deployedHigh, kAll / 32);
}

class Annotations : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, Annotations,
                         ::testing::Values("on=load priority=high", "on=store priority=normal", "on=atomic priority=low",
                                           "on=miss priority=high", "on=miss priority=low", "on=fill priority=normal",
                                           "on=idle priority=low", "on=idle priority=high", "on=divergence priority=high",
                                           "on=launch priority=low", "on=timer:70 priority=normal", "on=timer:33 priority=high lanes=0xff",
                                           "on=line:21 priority=low", "on=load,store,miss,idle,timer:50 priority=low"));

// However many threads of the host there are, and whether cycles in which nothing happens are jumped over.
TEST_P(Annotations, AreTheSameHoweverTheyAreSimulated) {
  Machine machine = fermi(3);
  machine.schedulersPerSm = 2;
  const auto narrow = [](Settings& settings) {
    settings.width = 1;
    settings.mostLive = 3;
    settings.entries = 6;
    settings.window = 64;
    settings.busyPercent = 30;
    settings.unitPercent = 20;
    settings.idlePercent = 20;
  };
  machine = withAssistWarps(machine, narrow);
  const std::string code = kWork + looping(std::string("assist ") + GetParam());
  const Ran first = run(machine, code);
  EXPECT_EQ(first.memory, run(fermi(3), kWork).memory) << "the program's results";
  EXPECT_GT(first.counted.deployed(), 0u);
  EXPECT_LE(first.counted.deployedLow == 0 ? 0 : first.counted.mostLive.value, 3u);
  for (const u32 threads : {2u, 8u}) {
    machines::TimingOptions options;
    options.threads = threads;
    EXPECT_EQ(run(machine, code, options).all, first.all) << threads;
  }
  machines::TimingOptions each;
  each.skip = false;
  EXPECT_EQ(run(machine, code, each).all, first.all);
}

// Thread 37 of block 2 is at fault; the others count to a hundred, as the fault must not stop them at once.
std::string atFault(const std::string& instruction) {
  return R"(
.visible .entry work(.param .u64 out)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<3>;
  .reg .pred %p<2>;
  ld.param.u64 %d0, [out];
  mov.u64 %d1, 8;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 1000, %r1;
  setp.ne.u32 %p0, %r3, 2037;
  @%p0 bra harmless;
  )" + instruction +
         R"(
harmless:
  mov.u32 %r4, 0;
again:
  .pragma "nounroll";
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 100;
  @%p1 bra again;
  st.global.u32 [%d0], %r4;
  ret;
}
)";
}

// A hundred and the address.
constexpr const char* kNotingFault = R"(
.visible .func (.param .b32 seen) notingFault(.param .b64 address)
.pragma "assist on=fault priority=high in=address out=count";
{
  .reg .u32 %r<2>;
  .reg .u64 %d0;
  ld.param.b64 %d0, [address];
  cvt.u32.u64 %r0, %d0;
  add.u32 %r1, %r0, 100;
  st.param.b32 [seen], %r1;
  ret;
}
)";

TEST(AssistWarps, OfAFaultChangeNothingWithoutOne) {
  const Ran without = run(fermi(2), kWork), with = run(withAssistWarps(fermi(2)), std::string(kWork) + kNotingFault);
  EXPECT_EQ(with.counters, without.counters);
}

TEST(AssistWarps, WaitWhileTheSchedulersAreBusy) {
  const auto throttled = [](u32 percent) {
    return [percent](Settings& settings) {
      settings.window = 32;
      settings.busyPercent = percent;
    };
  };
  const std::string code = kWork + looping("assist on=load priority=normal");
  const Ran often = run(withAssistWarps(fermi(), throttled(100)), code), seldom = run(withAssistWarps(fermi(), throttled(5)), code);
  EXPECT_GT(seldom.counted.waited, often.counted.waited);
}

// The routine computes, and computing is what keeps the unit busy.
TEST(AssistWarps, WaitWhileTheirUnitsAreBusy) {
  const auto throttled = [](u32 percent) {
    return [percent](Settings& settings) {
      settings.window = 32;
      settings.busyPercent = 100;
      settings.unitPercent = percent;
    };
  };
  for (const std::string priority : {"normal", "low", "high"}) {
    const std::string code = kWork + looping("assist on=load priority=" + priority);
    const Ran often = run(withAssistWarps(fermi(), throttled(100)), code), seldom = run(withAssistWarps(fermi(), throttled(10)), code);
    EXPECT_EQ(seldom.counted.throttled > often.counted.throttled, priority != "high") << priority;
  }
}

TEST(AssistWarps, OfLowPriorityMayAskForAnIdleCore) {
  const auto idle = [](u32 percent) {
    return [percent](Settings& settings) {
      settings.window = 32;
      settings.busyPercent = settings.unitPercent = 100;
      settings.idlePercent = percent;
    };
  };
  for (const std::string priority : {"normal", "low"}) {
    const std::string code = kWork + looping("assist on=load priority=" + priority);
    const u64 always = run(withAssistWarps(fermi(), idle(0)), code).counted.throttled;
    EXPECT_EQ(run(withAssistWarps(fermi(), idle(95)), code).counted.throttled > always, priority == "low");
  }
}

// --- as a user has them: a file, linked into a program that knows nothing of it
class AssistFile : public ::testing::Test {
 protected:
  ~AssistFile() override { std::remove(file_.c_str()); }

  // Without a file where there are no routines.
  std::unique_ptr<runtime::Device> device(const std::string& routines, const machines::TimingOptions& options = {}) {
    std::ofstream(file_) << kHead << routines;
    runtime::Settings settings;
    settings.machine = withAssistWarps(fermi(1), [&](Settings& each) { each.routines = routines.empty() ? "" : file_; });
    settings.timing = options;
    return std::make_unique<runtime::Device>(settings);
  }
  struct Launched {
    runtime::LaunchOutcome outcome;
    Statistics counted;
    u64 cycles = 0;
    std::string all;  // counters
  };
  // Of a module with one kernel, whose parameter is an array of kWords.
  static Launched launch(runtime::Device& device, const std::string& module) {
    runtime::Launch launch;
    launch.module = &device.loadModule(std::string(kHead) + module, "program.ptx");
    const auto& functions = launch.module->loaded->program.functions;
    launch.kernel = &*std::find_if(functions.begin(), functions.end(), [](const isa::Function& each) { return each.isKernel; });
    launch.grid = {kBlocks};
    launch.block = {kThreads};
    const u64 out = device.memory().allocate(kWords * sizeof(u32), exec::AllocationKind::device).value();
    launch.parameters.resize(sizeof out);
    std::memcpy(launch.parameters.data(), &out, sizeof out);
    Launched result;
    result.outcome = device.launch(launch);
    const auto& counters = device.timing().kernels().at(0)->counters;
    if (const auto* counted = dynamic_cast<const stats::Structure<Statistics>*>(counters.gpu.mechanisms.find("assist_warps")))
      result.counted = counted->value();
    result.cycles = counters.cycles;
    result.all = stats::toJson(counters.gpu).dump();
    return result;
  }
  std::string refusal(const std::string& routines) {
    try {
      device(routines)->loadModule(std::string(kHead) + kWork, "work.ptx");
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  const std::string& file() const { return file_; }
  // Of a file in examples/assist-warps, what follows its head.
  static std::string example(const std::string& name) {
    std::ifstream file(std::string(WARPWRIGHT_SOURCE_DIR) + "/examples/assist-warps/" + name);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    return text.substr(std::min(text.find(".visible"), text.size()));
  }

 private:
  std::string file_ = ::testing::TempDir() + "routines-" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".ptx";
};

TEST_F(AssistFile, IsLinkedIntoTheProgramAndAddsItsRegisters) {
  const auto with = device(countingZeros("assist on=store priority=high in=value out=count"));
  const Launched launched = launch(*with, kWork);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << launched.outcome.message;
  EXPECT_EQ(launched.counted.deployedHigh, kStores);
  const isa::Program& program = with->loadModule(std::string(kHead) + kWork, "work.ptx").loaded->program;
  const isa::Function *kernel = program.findFunction("work"), *routine = program.findFunction("countZeros");
  ASSERT_NE(routine, nullptr);
  const Machine& machine = with->settings().machine;
  for (const u32 threads : {64u, 256u, 1024u}) {
    const u32 registers = kernel->registers + routine->registers;
    EXPECT_EQ(with->occupancy(*kernel, threads, 0).blocksPerSm, runtime::occupancyOf(machine, {threads, registers, 0}).blocksPerSm);
  }
}

TEST_F(AssistFile, OfTheExampleCountsZeros) {
  const Launched launched = launch(*device(example("count-zeros.ptx")), kWork);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << launched.outcome.message;
  EXPECT_EQ(launched.counted.counted, kZerosOfEmptyMemory);
}

// Each thread loads a word of its own four times.
constexpr const char* kAgain = R"(
.visible .entry again(.param .u64 out)
{
  .reg .u32 %r<8>;
  .reg .u64 %d<3>;
  .reg .pred %p;
  ld.param.u64 %d0, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d1, %d0, %d1;
  mov.u32 %r5, 0;
  mov.u32 %r7, 0;
round:
  .pragma "nounroll";
  ld.volatile.global.u32 %r6, [%d1];
  add.u32 %r7, %r7, %r6;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p, %r5, 4;
  @%p bra round;
  st.global.u32 [%d1], %r7;
  ret;
}
)";
constexpr u32 kAgainLoads = 4;

// The routine notes the address that a lane loads from, at `place` bytes into its memory, and counts those that it finds there.
std::string noting(const std::string& memory, const std::string& more, u32 place = 0) {
  return R"(
.visible .func (.param .b32 found) noting(.param .b64 address, .param .b32 memory)
.pragma "assist on=load in=address,)" +
         memory + " out=count " + more + R"(";
{
  .reg .u32 %r<5>;
  .reg .u64 %d<2>;
  .reg .pred %p;
  ld.param.b64 %d0, [address];
  ld.param.b32 %r0, [memory];
  shr.u64 %d1, %d0, 2;
  cvt.u32.u64 %r1, %d1;
  and.b32 %r2, %r1, )" +
         (memory == "table" ? "1023" : "31") + R"(;
  shl.b32 %r2, %r2, 2;
  add.u32 %r2, %r0, %r2;
  ld.shared.u32 %r3, [%r2+)" +
         std::to_string(place) + R"(];
  setp.eq.u32 %p, %r3, %r1;
  selp.u32 %r4, 1, 0, %p;
  st.shared.u32 [%r2+)" +
         std::to_string(place) + R"(], %r1;
  st.param.b32 [found], %r4;
  ret;
}
)";
}

TEST_F(AssistFile, RemembersInItsTableWhileTheBlockLives) {
  const Launched launched = launch(*device(example("repeated-loads.ptx")), kAgain);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << launched.outcome.message;
  EXPECT_EQ(launched.counted.counted, kAll * (kAgainLoads - 1)) << "each block begins with an empty one";
}

TEST_F(AssistFile, HasABufferForEachWarp) {
  const Launched launched = launch(*device(noting("buffer", "priority=high buffer=128")), kAgain);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << launched.outcome.message;
  EXPECT_EQ(launched.counted.counted, kAll * (kAgainLoads - 1));
}

TEST_F(AssistFile, ReachesNoMoreThanItsMemory) {
  const auto past = [&](const char* speculative) {
    return launch(*device(noting("buffer", std::string("priority=high buffer=128 speculative=") + speculative, 4096)), kAgain);
  };
  const Launched harmless = past("yes");
  EXPECT_EQ(harmless.outcome.status, exec::LaunchStatus::completed);
  EXPECT_EQ(harmless.counted.counted, 0u) << "nothing was stored";
  const Launched fault = past("no");
  EXPECT_EQ(fault.outcome.status, exec::LaunchStatus::illegalAddress);
  EXPECT_NE(fault.outcome.message.find("shared"), std::string::npos) << fault.outcome.message;
}

TEST_F(AssistFile, AddsItsMemoryToTheSharedMemoryOfBlocks) {
  const auto with = device(noting("table", "table=8192") + countingZeros("assist on=store in=value out=count buffer=512"));
  const isa::Program& program = with->loadModule(std::string(kHead) + kWork, "work.ptx").loaded->program;
  const isa::Function& kernel = *program.findFunction("work");
  const Machine& machine = with->settings().machine;
  for (const u32 threads : {64u, 256u, 1024u}) {
    const u32 registers = kernel.registers + program.findFunction("noting")->registers + program.findFunction("countZeros")->registers;
    const runtime::BlockNeeds needs{threads, registers, kernel.sharedBytes + 8192 + threads / 32 * 512};
    EXPECT_EQ(with->occupancy(kernel, threads, 0).blocksPerSm, runtime::occupancyOf(machine, needs).blocksPerSm) << threads;
  }
  EXPECT_LT(with->occupancy(kernel, 64, 0).blocksPerSm, runtime::occupancyOf(machine, {64, kernel.registers, 0}).blocksPerSm);
  const auto tooMuch = device(noting("table", "table=65536"));
  try {
    launch(*tooMuch, kAgain);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("65536 of mechanisms"), std::string::npos) << error.what();
  }
}

TEST_F(AssistFile, EndsBeforeTheFaultThatTriggersItDoes) {
  struct Case {
    const char* instruction;
    u64 address;
  };
  for (const auto& [instruction, address] :
       {Case{"st.global.u32 [%d1], %r3;", 8}, Case{"ld.volatile.global.u32 %r5, [%d1+1];", 9},
        Case{"ld.volatile.global.u32 %r5, [%d0+3];", 3}, Case{"st.shared.u32 [%r3], %r3;", 2037}, Case{"trap;", 0}}) {
    const Launched without = launch(*device(""), atFault(instruction)), with = launch(*device(kNotingFault), atFault(instruction));
    EXPECT_NE(with.outcome.status, exec::LaunchStatus::completed) << instruction;
    EXPECT_EQ(with.outcome.status, without.outcome.status) << instruction;
    EXPECT_EQ(with.outcome.message, without.outcome.message) << instruction;
    EXPECT_GT(with.cycles, without.cycles) << instruction;
    EXPECT_EQ(with.counted.deployedHigh, 1u) << instruction;
    EXPECT_EQ(with.counted.ended, 1u) << instruction;
    EXPECT_EQ(with.counted.counted % 128, (100 + address) % 128) << instruction << " (the array begins at a multiple of 128)";
    for (const u32 threads : {2u, 8u}) {
      machines::TimingOptions options;
      options.threads = threads;
      EXPECT_EQ(launch(*device(kNotingFault, options), atFault(instruction)).all, with.all) << instruction << threads;
    }
    machines::TimingOptions each;
    each.skip = false;
    EXPECT_EQ(launch(*device(kNotingFault, each), atFault(instruction)).all, with.all) << instruction;
  }
}

// The first to be through ends the launch.
TEST_F(AssistFile, OfSeveralFaultsEndsWithOne) {
  std::string all = atFault("st.global.u32 [%d1], %r3;");
  const auto guard = all.find("@%p0 bra harmless;");
  ASSERT_NE(guard, std::string::npos);
  all.erase(guard, std::string("@%p0 bra harmless;").size());
  const Launched launched = launch(*device(kNotingFault), all);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::illegalAddress);
  EXPECT_GE(launched.counted.ended, 1u);
}

// Positions are those of the file.
TEST_F(AssistFile, IsRefusedWithPositionCauseAndRemedy) {
  const std::string bad = refusal(countingZeros("assist on=stores in=value out=count"));
  EXPECT_NE(bad.find(file() + ":6:"), std::string::npos) << bad;
  EXPECT_NE(bad.find("'stores' is no trigger"), std::string::npos) << bad;
  EXPECT_NE(bad.find("did you mean 'store'?"), std::string::npos) << bad;
  EXPECT_NE(refusal(countingZeros("assist on=store in=value")).find("names 0 results, and it has 1"), std::string::npos);
  EXPECT_NE(refusal(countingZeros("assist on=store in=address out=count")).find("for an address has 4 bytes"), std::string::npos);
  EXPECT_NE(refusal(".visible .func barrier()\n.pragma \"assist on=load\";\n{\n  bar.sync 0;\n  ret;\n}\n").find("has a barrier"),
            std::string::npos);
  const std::string caller = ".visible .func caller()\n{\n  call.uni looping;\n  ret;\n}\n";
  EXPECT_NE(refusal(looping("assist on=load") + caller).find("a call of 'looping'"), std::string::npos)
      << refusal(looping("assist on=load") + caller);
  EXPECT_EQ(refusal(looping("assist on=load")), "");
}

TEST_F(AssistFile, MustHaveARoutine) {
  const std::string none = refusal(".visible .func forgotten()\n{\n  ret;\n}\n");
  EXPECT_NE(none.find("'" + file() + "' has no routine"), std::string::npos) << none;
  EXPECT_NE(none.find(".pragma"), std::string::npos) << none;
}

TEST_F(AssistFile, MustBeThere) {
  runtime::Settings settings;
  settings.machine = withAssistWarps(fermi(1), [](Settings& each) { each.routines = "/nowhere/routines.ptx"; });
  settings.timing.emplace();
  EXPECT_THROW(runtime::Device{settings}, Error);
}

}  // namespace
}  // namespace warpwright
