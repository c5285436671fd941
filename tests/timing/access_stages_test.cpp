// Stages of the way to memory on whole machines: the times that they make, beside one another, on any number of threads. Their kinds are in
// the catalogue of this program, so that the test of all pairs has them too.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mechanisms/kind_parts.hpp"
#include "stages/example_stages.hpp"
#include "stats/json.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using mechanisms::Kind;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::LastLine;
using testing::LastLineStats;
using testing::param;
using testing::R;
using testing::Splitter;
using testing::SplitterStats;
using testing::Step;
using testing::StoreBuffer;
using testing::StoreBufferStats;
using testing::TimedMachine;

struct NoSettings {};

constexpr std::string_view kLastLine = "example-last-line", kStoreBuffer = "example-store-buffer", kSplitter = "example-splitter";

template <class Stage, class Statistics>
class Adds final : public mechanisms::CountsBySm<Statistics> {
 public:
  Adds(const NoSettings&, const Machine& machine) : mechanisms::CountsBySm<Statistics>(name()), machine_(machine) {}
  static std::string_view name() {
    if constexpr (std::is_same_v<Stage, LastLine>) return "example_last_line";
    if constexpr (std::is_same_v<Stage, StoreBuffer>) return "example_store_buffer";
    return "example_splitter";
  }
  void equip(sm::Parts& parts, SmId) override {
    Statistics& statistics = this->addSm();
    const auto make = [this, &statistics](const sm::StageContext& context) {
      return std::make_unique<Stage>(machine_, context, statistics);
    };
    if constexpr (std::is_base_of_v<sm::LaneStage, Stage>) {
      parts.laneStages.add(make);
    } else {
      parts.lineStages.add(make);
    }
  }

 private:
  const Machine& machine_;
};

std::optional<std::string> problem(const std::any&, const Machine& machine) {
  if (machine.l1d.lineBytes > mem::Request::kSectorBytes) return std::nullopt;
  return "lines have one sector";
}

template <class Stage, class Statistics>
Kind kindOf(std::string_view name) {
  return {.description = {.name = name,
                          .text = "An example.",
                          .paper = "tests/stages",
                          .timed = true,
                          .defaults = NoSettings{},
                          .settings = {},
                          .problem = std::is_same_v<Stage, Splitter> ? problem : nullptr},
          .make = mechanisms::makeFor<Adds<Stage, Statistics>, NoSettings>,
          .counted = [] { return mechanisms::zeroOf<Statistics>(Adds<Stage, Statistics>::name()); }};
}

const Kind kLastLineKind = kindOf<LastLine, LastLineStats>(kLastLine),
           kStoreBufferKind = kindOf<StoreBuffer, StoreBufferStats>(kStoreBuffer),
           kSplitterKind = kindOf<Splitter, SplitterStats>(kSplitter);
const bool kAdded = [] {
  for (const Kind* kind : {&kLastLineKind, &kStoreBufferKind, &kSplitterKind}) mechanisms::addKind(*kind);
  return true;
}();

Machine with(Machine machine, std::initializer_list<std::string_view> names) {
  EXPECT_TRUE(kAdded);
  for (const std::string_view name : names) machine.mechanisms.add(config::mechanismKind(name));
  return machine;
}

u64 counter(const machines::TimedResult& result, std::string_view name, std::string_view key) {
  u64 value = ~u64{0};
  result.stats.mechanisms.forEach([&](const std::string& part, const stats::AnyStatistics& statistics) {
    if (part == name) value = statistics.json().at(std::string(key)).template get<u64>();
  });
  return value;
}

constexpr u32 kLoad = testing::kBegin + 1;  // the load in each round of what follows

isa::Program withParameter(isa::Program program) {
  program.functions.front().parameterBytes = 8;
  program.functions.front().sharedBytes = 4096;
  return program;
}

// A load of a word by all lanes, or of a line, and its use.
isa::Program loads(Space space, bool ofALine = false, isa::CacheOp cache = isa::CacheOp::none) {
  return withParameter(testing::twice([&](Assembler& code) {
    code.special(12, isa::SpecialRegister::laneid);
    if (space == Space::shared) {
      code.emit(Opcode::mul_lo, DataType::u32, {R(2)}, {R(12), imm(4)});
    } else {
      code.emit(Opcode::mad_wide, DataType::u32, {R(2)}, {R(12), imm(ofALine ? 4 : 0), param(0)});
    }
    isa::Instruction& load = code.load(space, DataType::u32, 6, R(2));
    load.modifiers.cache = cache;
    load.modifiers.wordAddress = space == Space::shared;
    code.emit(Opcode::add, DataType::u32, {R(8)}, {R(6), R(6)});
  }));
}

// In the second round, from issue until the result may be used.
u64 latencyOfLoad(const Machine& config, const isa::Program& program) {
  TimedMachine machine(config);
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(4096));
  const auto result = machine.run(program, {1}, {32}, {words});
  EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  EXPECT_TRUE(result.violations.empty()) << result.violations.front();
  const Step load = testing::second(machine, kLoad + 1);
  return load.completed - load.issued;
}

// A hit takes two cycles where an access to shared memory takes sm.memory.shared_latency.
TEST(LaneStages, ServeInATimeOfTheirOwn) {
  const Machine machine = fermi();
  const u64 shared = latencyOfLoad(machine, loads(Space::shared));
  EXPECT_EQ(latencyOfLoad(with(machine, {kLastLine}), loads(Space::global)), shared - machine.sm.sharedLatency + LastLine::kHitCycles);
}

// The pieces reach the cache in the tick in which it would have looked up the whole: three look-ups more, and a cycle for the way back.
TEST(LineStages, SplitAnAccess) {
  const Machine machine = fermi();
  const u64 whole = latencyOfLoad(machine, loads(Space::global, true));
  EXPECT_EQ(latencyOfLoad(with(machine, {kSplitter}), loads(Space::global, true)), whole + 3 + 1);
}

// Three stores and a barrier. The last store is in the load/store unit a cycle after the barrier's issue; in the next the three passes
// begin, and the warp goes on when the last is through.
TEST(LaneStages, HoldWarpsWhileTheirOwnOperationsAreUnderWay) {
  const auto program = withParameter(testing::twice([](Assembler& code) {
    code.special(12, isa::SpecialRegister::laneid);
    code.emit(Opcode::mul_lo, DataType::u32, {R(2)}, {R(12), imm(4)});
    for (u32 i = 0; i < 3; ++i) code.store(Space::shared, DataType::u32, R(2), R(12)).modifiers.wordAddress = true;
    code.barrier();
    code.emit(Opcode::add, DataType::u32, {R(8)}, {R(6), R(6)});
  }));
  const Machine config = with(fermi(), {kStoreBuffer});
  TimedMachine machine(config);
  const auto result = machine.run(program, {1}, {32}, {0});
  const u32 barrier = testing::kBegin + 5;
  EXPECT_EQ(testing::second(machine, barrier + 1).issued - testing::second(machine, barrier).issued,
            1 + 1 + (3 - 1) + config.sm.sharedLatency);
  EXPECT_EQ(counter(result, "example_store_buffer", "stores"), 6u);
  EXPECT_EQ(counter(result, "example_store_buffer", "drains"), 2u);
  EXPECT_EQ(result.stats.sm.loadStore.sharedPasses, 6u);
}

// A fence waits for what the stage has kept, and so does the end of the block.
TEST(LaneStages, HoldFencesAndTheEndsOfBlocks) {
  const auto store = [](Assembler& code) { code.store(Space::shared, DataType::u32, imm(64), R(6)).modifiers.wordAddress = true; };
  Assembler code;
  code.program.addressBits = 64;
  store(code);
  code.emit(Opcode::fence, DataType::none, {}, {});
  store(code);
  code.exit();
  code.function("k").registers = 32;
  code.program.functions.front().sharedBytes = 4096;
  const Machine config = with(fermi(), {kStoreBuffer});
  TimedMachine machine(config);
  const auto result = machine.run(code.program, {1}, {32});
  EXPECT_GE(counter(result, "example_store_buffer", "held_fences"), 1u);
  EXPECT_GE(counter(result, "example_store_buffer", "held_ends"), 1u);
  EXPECT_EQ(counter(result, "example_store_buffer", "drains"), 2u);
  EXPECT_GE(machine.timeline().at(1).at(0).issued - machine.timeline().at(0).at(0).issued, config.sm.sharedLatency);
  EXPECT_GE(result.cycles, machine.timeline().at(2).at(0).issued + config.sm.sharedLatency) << "the block waits for the last drain";
}

// What a stage asks for passes those behind it.
TEST(Stages, AreAChain) {
  TimedMachine machine(with(fermi(), {kSplitter, kLastLine}));
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(4096));
  const auto result = machine.run(loads(Space::global), {1}, {32}, {words});
  EXPECT_EQ(counter(result, "example_last_line", "fetches"), 1u);
  EXPECT_EQ(counter(result, "example_last_line", "hits"), 1u);
  EXPECT_EQ(counter(result, "example_splitter", "accesses"), 1u) << "the line of the stage before it";
  EXPECT_EQ(counter(result, "example_splitter", "pieces"), 4u);
  EXPECT_EQ(result.stats.l1d.accesses[mem::AccessType::globalRead], 4u);
}

// Loads that go beside L1 pass the stages too.
TEST(LineStages, SeeWhatPassesTheCache) {
  Machine config = with(fermi(), {kSplitter});
  config.sm.cacheGlobalLoads = false;
  TimedMachine machine(config);
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(4096));
  const auto result = machine.run(loads(Space::global, true), {1}, {32}, {words});
  EXPECT_EQ(counter(result, "example_splitter", "accesses"), 2u);
  EXPECT_EQ(result.stats.l1d.accesses[mem::AccessType::globalRead], 0u);
  EXPECT_EQ(result.stats.memory.partition.requests[mem::AccessType::globalRead], 8u);
}

// Blocks of three warps: loads of lines that others load, stores, shared memory with barriers, private memory.
isa::Program mixture() {
  return withParameter(testing::twice([](Assembler& code) {
    code.special(12, isa::SpecialRegister::tid_x);
    code.special(13, isa::SpecialRegister::ctaid_x);
    code.emit(Opcode::mad_wide, DataType::u32, {R(2)}, {R(12), imm(4), param(0)});
    code.emit(Opcode::mul_lo, DataType::u32, {R(14)}, {R(12), imm(8)});
    code.load(Space::global, DataType::u32, 6, R(2));
    code.store(Space::shared, DataType::u32, R(14), R(6)).modifiers.wordAddress = true;
    code.store(Space::local, DataType::u32, imm(8), R(12));
    code.barrier();
    code.load(Space::shared, DataType::u32, 7, R(14)).modifiers.wordAddress = true;
    code.load(Space::local, DataType::u32, 15, imm(8));
    code.emit(Opcode::add, DataType::u32, {R(7)}, {R(7), R(15)});
    code.emit(Opcode::add, DataType::u32, {R(7)}, {R(7), R(13)});
    code.store(Space::global, DataType::u32, R(2), R(7), 4096);
    code.load(Space::global, DataType::u32, 6, R(2), 4096);
  }));
}

TEST(Stages, GiveTheSameBitsHoweverSimulated) {
  const Machine config = with(fermi(3), {kLastLine, kStoreBuffer, kSplitter, "avc"});
  isa::Program program = mixture();
  program.functions.front().localBytes = 64;
  std::string first;
  for (const bool skip : {true, false}) {
    for (const u32 threads : {1u, 2u, 3u, 8u}) {
      machines::TimingOptions options;
      options.skip = skip;
      options.threads = threads;
      TimedMachine machine(config, options);
      const u64 words = reinterpret_cast<u64>(machine.array<u32>(4096));
      const auto result = machine.run(program, {24}, {96}, {words});
      ASSERT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
      EXPECT_TRUE(result.violations.empty()) << result.violations.front();
      const std::string all = std::to_string(result.cycles) + stats::toJson(result.stats).dump();
      if (first.empty()) first = all;
      EXPECT_EQ(all, first) << threads << " threads, skipping " << skip;
    }
  }
}

TEST(Stages, AreNotEndless) {
  class TooMany final : public sm::LaneStage {
    void access(sm::LaneAccess&, sm::MemoryOperation&, Cycle) override {}
  };
  const Machine machine = fermi();
  sm::Parts parts(machine);
  for (u32 i = 0; i < 16; ++i) parts.laneStages.add([](const sm::StageContext&) { return std::make_unique<TooMany>(); });
  const mem::AddressMap map(1, 1, 1, 256, "false");
  sm::NetworkPort out(4, 1), in(4, 1);
  EXPECT_THROW(sm::Sm(machine, SmId{0}, map, out, in, {}, parts), Error);
}

}  // namespace
}  // namespace warpwright
