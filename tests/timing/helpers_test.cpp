// Helpers of warps, by the smallest mechanism that has any: whenever a warp misses the first-level cache, a helper of it counts to ten.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "stats/json.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using sm::Context;
using sm::HelperPriority;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::oneClock;
using testing::P;
using testing::param;
using testing::R;
using testing::Step;
using testing::TimedMachine;

constexpr u32 kTen = 10, kRoutineRegisters = 4;

enum class When { never, missed, issued, timer };
constexpr u64 kPeriod = 70;  // of the timer, in cycles

struct Counting {
  When when = When::missed;
  HelperPriority priority = HelperPriority::high;
  bool holdsParent = true;
  bool wrapsScheduler = false;
};

// What happened on an SM.
struct Heard {
  std::vector<u64> missed, filled, ended, idle, finished;  // cycles
  u32 begun = 0, refused = 0;
  std::set<u64> picked;  // cycles in which the scheduler chose a warp
};

class CountingHelpers final : public sm::Helpers {
 public:
  CountingHelpers(sm::HelperControl& control, const Counting& what, Heard& heard) : control_(control), what_(what), heard_(heard) {}

  void issued(SlotId slot, const exec::StepRecord&, const sm::LaunchPlan& plan, Cycle) override {
    if (what_.when == When::issued) begin(slot, plan);
    plan_ = &plan;
    slot_ = slot;
  }
  void missed(const sm::Missed& miss, Cycle now) override {
    heard_.missed.push_back(now.ticks);
    if (what_.when == When::missed && !miss.context.isHelper()) begin(miss.context.slot, miss.plan);
  }
  void filled(const mem::Request&, Cycle now) override { heard_.filled.push_back(now.ticks); }
  void idle(u32, Cycle now) override { heard_.idle.push_back(now.ticks); }
  void finished(SlotId, Cycle now) override {
    heard_.finished.push_back(now.ticks);
    plan_ = nullptr;
  }
  void tick(Cycle now) override {
    if (what_.when != When::timer || now < due_) return;
    due_ = Cycle{(now.ticks / kPeriod + 1) * kPeriod};
    if (plan_ != nullptr) begin(slot_, *plan_);
  }
  Cycle nextUseful(Cycle now) const override { return what_.when == When::timer ? std::max(now, due_) : kNever; }
  void ended(u32, Cycle now) override { heard_.ended.push_back(now.ticks); }

 private:
  void begin(u32 slot, const sm::LaunchPlan& plan) {
    sm::HelperStart start;
    start.slot = SlotId{slot};
    start.routine = plan.request.launch->program->program.findFunction("count");
    start.priority = what_.priority;
    start.holdsParent = what_.holdsParent;
    ++(control_.begin(start) ? heard_.begun : heard_.refused);
  }

  const sm::LaunchPlan* plan_ = nullptr;  // of the warp that issued last
  u32 slot_ = 0;
  Cycle due_{};
  sm::HelperControl& control_;
  const Counting& what_;
  Heard& heard_;
};

class NotesPicks final : public sm::WarpScheduler {
 public:
  NotesPicks(std::unique_ptr<WarpScheduler> inner, Heard& heard) : inner_(std::move(inner)), heard_(heard) {}
  SlotId pick(const sm::SchedulerView& view) override {
    const SlotId slot = inner_->pick(view);
    if (slot != sm::kNoWarp) heard_.picked.insert(view.now.ticks);
    return slot;
  }
  void issued(SlotId slot) override { inner_->issued(slot); }

 private:
  std::unique_ptr<WarpScheduler> inner_;
  Heard& heard_;
};

class CountingMechanism final : public mechanisms::Mechanism {
 public:
  CountingMechanism(const Counting& what, std::deque<Heard>& heard) : what_(what), heard_(heard) {}
  void equip(sm::Parts& parts, SmId) override {
    Heard& heard = heard_.emplace_back();
    parts.helpers.replace("counting", [this, &heard](const sm::HelperContext& context) {
      return std::make_unique<CountingHelpers>(context.control, what_, heard);
    });
    if (!what_.wrapsScheduler) return;
    parts.scheduler.wrap(
        [&heard](std::unique_ptr<sm::WarpScheduler> inner, u32) { return std::make_unique<NotesPicks>(std::move(inner), heard); });
  }

 private:
  const Counting what_;
  std::deque<Heard>& heard_;
};

// R0 counts; the program's last function.
void appendRoutine(Assembler& code) {
  const u32 loop = code.here();
  code.emit(Opcode::add, DataType::u32, {R(0)}, {R(0), imm(1)});
  code.compare(0, isa::Compare::lt, DataType::u32, R(0), imm(kTen));
  code.branch(P(0), loop, code.here() + 1);
  code.exit();
  code.function("count", false).registers = kRoutineRegisters;
}

struct Ran {
  machines::TimedResult result;
  std::vector<Step> steps;
  std::deque<Heard> heard;
  std::string counters;
  std::vector<u32> memory;
};

struct Work {
  isa::Program program;
  u32 blocks = 1, threads = 32;
};

// The code is in the instruction cache, and the data are in none. Without `what`: no mechanism.
Ran run(const Machine& config, const Work& work, const Counting* what, machines::TimingOptions options = {}) {
  Ran ran;
  mechanisms::Mechanisms mechanisms;
  if (what != nullptr) mechanisms.push_back(std::make_unique<CountingMechanism>(*what, ran.heard));
  TimedMachine machine(config, options, std::move(mechanisms));
  machine.extraRegisters = kRoutineRegisters;
  const exec::LoadedProgram& program = machine.load(work.program);
  constexpr u32 kWords = 16384;
  u32* words = nullptr;
  for (u32 round = 0; round < 2; ++round) {
    words = machine.array<u32>(kWords);
    for (u32 i = 0; i < kWords; ++i) words[i] = i;
    machine.forgetTimeline();
    for (Heard& heard : ran.heard) heard = {};
    ran.result = machine.run(program, {work.blocks}, {work.threads}, {reinterpret_cast<u64>(words)});
  }
  ran.steps = machine.timeline().steps();
  ran.counters = stats::toJson(ran.result.stats).dump();
  ran.memory.assign(words, words + kWords);
  for (const std::string& law : ran.result.violations) ADD_FAILURE() << law;
  return ran;
}

// One load, and one instruction that needs it.
Work oneMiss() {
  Assembler code;
  code.program.addressBits = 64;
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
  code.load(Space::global, DataType::u32, 4, R(2));
  code.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 16;
  kernel.parameterBytes = 8;
  appendRoutine(code);
  return {code.program, 1, 32};
}

constexpr u32 kLoad = 1, kAdd = 2;

// Each thread adds neighbours of other lines, at barriers, and stores the sum.
Work manyMisses() {
  Assembler code;
  code.program.addressBits = 64;
  code.globalThread(0);
  code.elementAddress(2, 0, R(0), 16);
  code.emit(Opcode::mov, DataType::u32, {R(6)}, {imm(0)});
  for (u32 round = 0; round < 4; ++round) {
    code.load(Space::global, DataType::u32, 5, R(2), round * 4096);
    code.emit(Opcode::add, DataType::u32, {R(6)}, {R(6), R(5)});
    for (u32 i = 0; i < 6; ++i) code.emit(Opcode::mul_lo, DataType::u32, {R(7)}, {R(0), imm(i)});
    code.barrier();
  }
  code.store(Space::global, DataType::u32, R(2), R(6), 40000);
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 16;
  kernel.parameterBytes = 8;
  appendRoutine(code);
  return {code.program, 6, 128};
}

std::vector<Step> ofHelpers(const Ran& ran) {
  std::vector<Step> result;
  for (const Step& step : ran.steps)
    if (step.what.helper != Context::kParent) result.push_back(step);
  return result;
}

u64 issueOf(const Ran& ran, u32 pc) {
  for (const Step& step : ran.steps)
    if (step.what.pc == pc && step.what.helper == Context::kParent) return step.issued;
  return 0;
}

// A round of the routine is an addition, a comparison that needs it and a branch that needs that; the next begins when the branch has
// executed. The miss is found in the cycle after the load has reached the cache, and the helper issues from the next on.
TEST(Helpers, OfHighPriorityTakeTheirCyclesAndHoldTheirWarp) {
  Machine config = oneClock(fermi());
  config.sm.simple.latency = 40;  // so that the routine takes longer than the load
  const Counting counting;
  const Ran without = run(config, oneMiss(), nullptr), with = run(config, oneMiss(), &counting);
  const u64 result = config.sm.simple.latency, branch = config.sm.branch.latency;
  const u64 round = 2 * result + branch;

  ASSERT_EQ(with.heard[0].missed.size(), 1u);
  const Step load = [&] {
    for (const Step& step : with.steps)
      if (step.what.pc == kLoad) return step;
    return Step{};
  }();
  EXPECT_EQ(with.heard[0].missed[0], load.dispatched + 1);
  const std::vector<Step> helper = ofHelpers(with);
  ASSERT_EQ(helper.size(), 3 * kTen + 1);
  const u64 first = with.heard[0].missed[0] + 1;
  for (u32 i = 0; i < kTen; ++i) {
    EXPECT_EQ(helper[3 * i].issued, first + i * round) << i;
    EXPECT_EQ(helper[3 * i + 1].issued, first + i * round + result) << i;
    EXPECT_EQ(helper[3 * i + 2].issued, first + i * round + 2 * result) << i;
  }
  EXPECT_EQ(helper.back().issued, first + kTen * round);
  const u64 end = first + kTen * round + branch;
  EXPECT_EQ(with.heard[0].ended, (std::vector<u64>{end}));

  // The warp has its data long before, and goes on when its helper has ended.
  const u64 data = load.completed - load.issued + issueOf(with, kLoad);
  ASSERT_GT(end, data);
  EXPECT_EQ(issueOf(with, kAdd), end);
  EXPECT_EQ(with.result.cycles - without.result.cycles, end - data);
  EXPECT_EQ(with.result.stats.sm.assistInstructions, 3 * kTen + 1);
  EXPECT_EQ(with.result.stats.sm.slots[sm::Slot::assist], 3 * kTen + 1);
  EXPECT_EQ(with.result.stats.sm.warpInstructions, without.result.stats.sm.warpInstructions);
  EXPECT_EQ(with.heard[0].filled.size(), 1u);
}

// What it waits for by its helper alone is no wait for instructions.
TEST(Helpers, WhatAHeldWarpWaitsForIsItsHelper) {
  Machine config = oneClock(fermi());
  config.sm.simple.latency = 40;
  const Counting counting;
  const Ran without = run(config, oneMiss(), nullptr), with = run(config, oneMiss(), &counting);
  const auto slots = [](const Ran& ran, sm::Slot slot) { return ran.result.stats.sm.slots[slot]; };
  EXPECT_EQ(slots(with, sm::Slot::fetch), slots(without, sm::Slot::fetch));
}

// Beside a wait for memory that is longer than the routine nothing is lost.
TEST(Helpers, OfLowPriorityCountWhereTheirWarpWaits) {
  Machine config = oneClock(fermi());
  config.network.injectionLatency = 200;
  const Counting counting{When::missed, HelperPriority::low, false};
  const Ran without = run(config, oneMiss(), nullptr), with = run(config, oneMiss(), &counting);
  EXPECT_EQ(with.result.stats.sm.assistInstructions, 3 * kTen + 1);
  EXPECT_EQ(with.result.cycles, without.result.cycles);
}

TEST(Helpers, OfLowPriorityTakeNoSlotThatAWarpCouldUse) {
  const Counting counting{When::missed, HelperPriority::low, false, true};
  const Ran ran = run(fermi(), manyMisses(), &counting);
  const std::vector<Step> helpers = ofHelpers(ran);
  EXPECT_GT(helpers.size(), 100u);
  for (const Step& step : helpers) EXPECT_EQ(ran.heard[0].picked.count(step.issued), 0u) << step.issued;
}

class HelperKinds : public ::testing::TestWithParam<Counting> {};

INSTANTIATE_TEST_SUITE_P(
    All, HelperKinds,
    ::testing::Values(Counting{When::missed, HelperPriority::high, true}, Counting{When::missed, HelperPriority::high, false},
                      Counting{When::missed, HelperPriority::low, false}, Counting{When::missed, HelperPriority::low, true},
                      Counting{When::issued, HelperPriority::low, false}, Counting{When::timer, HelperPriority::low, false},
                      Counting{When::timer, HelperPriority::high, true}, Counting{When::issued, HelperPriority::high, true}));

// However many threads of the host there are, and whether cycles in which nothing happens are jumped over.
TEST_P(HelperKinds, AreTheSameHoweverTheyAreSimulated) {
  Machine config = fermi(3);
  config.schedulersPerSm = 2;
  const Counting counting = GetParam();
  const Work work = manyMisses();
  const Ran without = run(config, work, nullptr), first = run(config, work, &counting);
  EXPECT_EQ(first.memory, without.memory) << "the program's results";
  EXPECT_NE(first.result.stats.sm.assistInstructions, 0u);
  EXPECT_EQ(first.result.stats.sm.warpInstructions, without.result.stats.sm.warpInstructions);
  EXPECT_EQ(first.result.functional.warpInstructions, without.result.functional.warpInstructions);
  u32 begun = 0;
  for (const Heard& heard : first.heard) begun += heard.begun;
  EXPECT_EQ(first.result.stats.sm.assistInstructions, begun * (3 * kTen + 1));
  for (const u32 threads : {2u, 3u, 8u}) {
    machines::TimingOptions options;
    options.threads = threads;
    EXPECT_EQ(run(config, work, &counting, options).counters, first.counters) << threads;
  }
  machines::TimingOptions each;
  each.skip = false;
  EXPECT_EQ(run(config, work, &counting, each).counters, first.counters);
  const Ran again = run(config, work, &counting, each);
  for (std::size_t sm = 0; sm < first.heard.size(); ++sm) {
    EXPECT_EQ(again.heard[sm].idle, first.heard[sm].idle);
    EXPECT_EQ(again.heard[sm].missed, first.heard[sm].missed);
    EXPECT_EQ(again.heard[sm].finished, first.heard[sm].finished);
  }
}

// A machine whose helpers never begin is the machine without.
TEST(Helpers, ThatNeverBeginChangeNothing) {
  const Counting none{When::never};
  const Machine config = fermi(2);
  EXPECT_EQ(run(config, manyMisses(), &none).counters, run(config, manyMisses(), nullptr).counters);
}

// A helper that is killed when its warp misses again: the program ends as it would, and what was under way is waited for.
TEST(Helpers, MayBeKilled) {
  class Killing final : public sm::Helpers {
   public:
    explicit Killing(sm::HelperControl& control) : control_(control) {}
    void issued(SlotId slot, const exec::StepRecord&, const sm::LaunchPlan& plan, Cycle) override {
      if (helper_) control_.kill(*std::exchange(helper_, std::nullopt));
      sm::HelperStart start;
      start.slot = slot;
      start.routine = plan.request.launch->program->program.findFunction("count");
      helper_ = control_.begin(start);
    }
    void ended(u32, Cycle) override { helper_.reset(); }

   private:
    sm::HelperControl& control_;
    std::optional<u32> helper_;
  };
  class KillingMechanism final : public mechanisms::Mechanism {
   public:
    void equip(sm::Parts& parts, SmId) override {
      parts.helpers.replace("killing", [](const sm::HelperContext& context) { return std::make_unique<Killing>(context.control); });
    }
  };
  std::string counters[2];
  for (const bool skip : {false, true}) {
    machines::TimingOptions options;
    options.skip = skip;
    mechanisms::Mechanisms mechanisms;
    mechanisms.push_back(std::make_unique<KillingMechanism>());
    TimedMachine machine(fermi(2), options, std::move(mechanisms));
    machine.extraRegisters = 4 * kRoutineRegisters;
    const Work work = manyMisses();
    const auto result = machine.run(work.program, {work.blocks}, {work.threads}, {reinterpret_cast<u64>(machine.array<u32>(16384))});
    EXPECT_TRUE(result.violations.empty());
    EXPECT_GT(result.stats.sm.assistInstructions, 0u);
    counters[skip] = stats::toJson(result.stats).dump();
  }
  EXPECT_EQ(counters[0], counters[1]);
}

// What a killed helper has under way comes back to nobody: until then its registers are not another's, whose values are its own.
TEST(Helpers, ThatAreKilledLeaveNothingBehind) {
  struct Seen {
    u32 refused = 0, ended = 0;
    std::vector<u32> left;
  };
  class Replacing final : public sm::Helpers {
   public:
    Replacing(sm::HelperControl& control, Seen& seen) : control_(control), seen_(seen) {}
    void issued(SlotId slot, const exec::StepRecord&, const sm::LaunchPlan& plan, Cycle) override {
      slot_ = slot;
      plan_ = &plan;
      if (state_ == State::before && begin()) state_ = State::first;
    }
    void helperIssued(u32 helper, const exec::StepRecord&, Cycle) override {
      if (state_ != State::first) return;
      first_ = helper;
      state_ = State::killing;
    }
    void tick(Cycle) override {
      if (state_ == State::killing) {
        control_.kill(first_);
        state_ = State::killed;
      }
      if (state_ == State::killed && !begin())
        ++seen_.refused;
      else if (state_ == State::killed)
        state_ = State::second;
    }
    Cycle nextUseful(Cycle now) const override { return state_ == State::killing || state_ == State::killed ? now : kNever; }
    void ended(u32 helper, Cycle) override {
      ++seen_.ended;
      const std::span<const u32> left = control_.left(helper, 0);
      seen_.left.assign(left.begin(), left.end());
    }

   private:
    enum class State { before, first, killing, killed, second };
    bool begin() {
      sm::HelperStart start;
      start.slot = slot_;
      start.routine = plan_->request.launch->program->program.findFunction("count");
      start.priority = HelperPriority::high;
      start.place = 0;
      return control_.begin(start).has_value();
    }

    sm::HelperControl& control_;
    Seen& seen_;
    State state_ = State::before;
    u32 first_ = 0;
    SlotId slot_;
    const sm::LaunchPlan* plan_ = nullptr;
  };
  class ReplacingMechanism final : public mechanisms::Mechanism {
   public:
    explicit ReplacingMechanism(Seen& seen) : seen_(seen) {}
    void equip(sm::Parts& parts, SmId) override {
      parts.helpers.replace("replacing",
                            [this](const sm::HelperContext& context) { return std::make_unique<Replacing>(context.control, seen_); });
    }

   private:
    Seen& seen_;
  };
  Machine config = oneClock(fermi());
  config.sm.simple.latency = 40;
  Seen seen;
  mechanisms::Mechanisms mechanisms;
  mechanisms.push_back(std::make_unique<ReplacingMechanism>(seen));
  TimedMachine machine(config, {}, std::move(mechanisms));
  machine.extraRegisters = kRoutineRegisters;
  Work work = manyMisses();
  work.blocks = 1;
  work.threads = 32;
  u32* const words = machine.array<u32>(16384);
  for (u32 i = 0; i < 16384; ++i) words[i] = i;
  const auto result = machine.run(work.program, {work.blocks}, {work.threads}, {reinterpret_cast<u64>(words)});
  EXPECT_TRUE(result.violations.empty());
  const std::vector<u32> memory(words, words + 16384);
  EXPECT_EQ(memory, run(config, work, nullptr).memory) << "the warp's registers are its own";
  EXPECT_GT(seen.refused, 20u) << "while the first one's instruction is under way";
  EXPECT_EQ(seen.ended, 1u);
  EXPECT_EQ(seen.left, std::vector<u32>(32, kTen));
}

// One at a time has room.
TEST(Helpers, BeginOnlyWhereThereAreRegisters) {
  const Counting counting{When::issued, HelperPriority::low, false};
  const Ran ran = run(fermi(), oneMiss(), &counting);
  EXPECT_GT(ran.heard[0].refused, 0u);
  EXPECT_GT(ran.heard[0].begun, 0u);
}

TEST(Helpers, NeedAScoreboard) {
  Machine config = config::loadMachine("gt200-elastic");
  config.mechanisms = {};
  const Counting counting;
  std::deque<Heard> heard;
  mechanisms::Mechanisms mechanisms;
  mechanisms.push_back(std::make_unique<CountingMechanism>(counting, heard));
  EXPECT_THROW(TimedMachine(config, {}, std::move(mechanisms)), Error);
}

}  // namespace
}  // namespace warpwright
