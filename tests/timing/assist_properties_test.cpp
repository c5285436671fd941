// What assist warps promise, on random kernels with random annotations.
#include <gtest/gtest.h>

#include <cstdlib>

#include "assist_programs.hpp"
#include "race_free_kernels.hpp"
#include "random.hpp"
#include "random_program.hpp"

namespace warpwright::assist_tests {
namespace {

using testing::Random;

constexpr u64 kSeeds = 6;
// More are tried where WARPWRIGHT_SEEDS says how many.
u64 seeds() {
  const char* const asked = std::getenv("WARPWRIGHT_SEEDS");
  return asked != nullptr ? std::strtoull(asked, nullptr, 10) : kSeeds;
}

// Threads that have nothing to do with one another, in any control flow; or that share lines and wait for each other.
Subject randomKernel(u64 seed) {
  if (seed % 2 == 1) {
    using K = testing::RaceFreeKernel;
    return {K::ptx(seed), "k",       K::kBlocks,
            K::kThreads,  K::kWords, [](const u32* array) { return std::vector{reinterpret_cast<u64>(array)}; }};
  }
  const testing::RandomProgramOptions shape{.blocks = 6, .instructionsPerBlock = 6, .fuel = 12};
  constexpr u32 kGrid = 4, kBlock = 96, kInput = kGrid * kBlock * testing::kInputWords;
  const u32 output = kGrid * kBlock * testing::outputBytes(shape) / 4;
  const auto parameters = [output](const u32* array) {
    return std::vector{reinterpret_cast<u64>(array + kInput), reinterpret_cast<u64>(array)};
  };
  return {testing::randomProgram(seed, shape), "k", kGrid, kBlock, kInput + output, parameters};
}

std::string randomTrigger(Random& random) {
  constexpr std::array<std::string_view, 10> kTriggers = {"load", "store", "atomic",     "miss",   "miss:l2",
                                                          "fill", "idle",  "divergence", "launch", "timer:"};
  std::string trigger = random.pick(kTriggers);
  return trigger.back() == ':' ? trigger + std::to_string(20 + random.below(200)) : trigger;
}

std::string randomAnnotation(Random& random, const std::string& priority) {
  std::string on = randomTrigger(random);
  while (random.chance(50)) on += "," + randomTrigger(random);
  const std::string lanes = random.chance(30) ? " lanes=" + std::to_string(1 + random.below(255)) : "";
  return "assist on=" + on + " priority=" + priority + lanes;
}

std::string randomPriority(Random& random) {
  constexpr std::array<std::string_view, 3> kPriorities = {"high", "normal", "low"};
  return random.pick(kPriorities);
}

// A loop, of which each instance issues as many instructions as any other.
std::string randomRoutine(Random& random, const std::string& annotation) {
  const std::string rounds = std::to_string(1 + random.below(6));
  return ".visible .func routine()\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<4>;
  .reg .u64 %d<2>;
  .reg .pred %p;
  mov.u32 %r0, 0;
  mov.u64 %d0, 64;
again:
  .pragma "nounroll";
  add.u32 %r0, %r0, 1;
  mul.lo.u32 %r1, %r0, )" +
         std::to_string(random.below(1000)) + R"(;
  ld.global.u32 %r2, [%d0];
  st.global.u32 [%d0], %r1;
  setp.lt.u32 %p, %r0, )" +
         rounds + R"(;
  @%p bra again;
  ret;
}
)";
}

// Accesses to places without memory, misaligned ones, and a trap.
std::string wildRoutine(Random& random, const std::string& annotation) {
  const std::string far = std::to_string((u64{1} << 60) + random.next() % (u64{1} << 50));
  return ".visible .func routine()\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<4>;
  .reg .u64 %d<2>;
  mov.u64 %d0, )" +
         far + R"(;
  ld.global.u32 %r1, [%d0];
  st.global.u32 [%d0], %r1;
  mov.u32 %r2, )" +
         std::to_string(random.below(1u << 30)) + R"(;
  ld.shared.u32 %r3, [%r2];
  )" + (random.chance(50) ? "trap;" : "st.shared.u32 [%r2], %r3;") +
         R"(
  ret;
}
)";
}

Machine randomMachine(Random& random, u32 sms) {
  Machine machine = fermi(sms);
  machine.schedulersPerSm = 1u << random.below(3);
  return withAssistWarps(machine, [&](Settings& settings) {
    settings.width = 1 + random.below(3);
    settings.entries = 1 + random.below(48);
    settings.mostLive = 1 + random.below(48);
    settings.lowEntries = 1 + random.below(3);
    settings.warpEntries = 1 + random.below(3);
    settings.moveLatency = random.below(4);
    settings.window = random.below(128);
    settings.busyPercent = 20 + random.below(80);
    settings.unitPercent = 20 + random.below(80);
    settings.idlePercent = random.below(40);
  });
}

Machine without(Machine machine) {
  machine.mechanisms = {};
  return machine;
}

Subject beside(Subject subject, const std::string& routine) {
  subject.ptx += routine;
  return subject;
}

// From the first instruction of an instance to its last, its warp issues nothing.
TEST(AssistProperties, OfHighPriorityBlockTheirWarps) {
  u64 instances = 0;
  for (u64 seed = 0; seed < seeds(); ++seed) {
    Random random(seed);
    const Machine machine = randomMachine(random, 1);
    const std::string routine = randomRoutine(random, randomAnnotation(random, "high"));
    const Ran ran = run(machine, beside(randomKernel(seed), routine));
    if (ran.counted.deployedHigh == 0) continue;
    const u64 each = ran.counted.instructions / ran.counted.deployedHigh;
    ASSERT_EQ(ran.counted.instructions, each * ran.counted.deployedHigh) << seed << routine;
    std::map<u32, u64> issued;  // of an instance that has not ended, by slot
    for (const Step& step : ran.steps) {
      u64& count = issued[step.what.slot];
      if (step.what.helper == Context::kParent)
        ASSERT_EQ(count, 0u) << "seed " << seed << ", at " << step.issued << routine;
      else if (++count == each)
        count = 0;
    }
    instances += ran.counted.deployedHigh;
  }
  EXPECT_GT(instances, 100u);
}

// In the cycle in which an instruction of low priority issues, the scheduler of its warp has chosen nobody.
TEST(AssistProperties, OfLowPriorityTakeNoSlotThatAWarpCouldUse) {
  u64 issued = 0;
  for (u64 seed = 0; seed < seeds(); ++seed) {
    Random random(100 + seed);
    Machine machine = randomMachine(random, 1);
    machine.schedulersPerSm = 1u << seed % 3;
    const std::string routine = randomRoutine(random, randomAnnotation(random, "low"));
    Picked picked;
    const Ran ran = run(machine, beside(randomKernel(seed), routine), {}, &picked);
    for (const Step& step : ran.steps) {
      if (step.what.helper == Context::kParent) continue;
      ASSERT_FALSE(picked.contains({step.what.slot % machine.schedulersPerSm, step.issued})) << seed << routine;
      ++issued;
    }
  }
  EXPECT_GT(issued, 300u);
}

TEST(AssistProperties, WithoutARoutineAreTheBaselineToTheBit) {
  for (u64 seed = 0; seed < seeds(); ++seed) {
    Random random(200 + seed);
    Machine machine = randomMachine(random, 2);
    const std::string routine = randomRoutine(random, randomAnnotation(random, randomPriority(random)));
    const Subject kernel = randomKernel(seed);
    const std::string plain = run(without(machine), kernel).counters;
    EXPECT_EQ(run(machine, kernel).counters, plain) << seed;
    std::any_cast<Settings>(machine.mechanisms.find("assist-warps"))->only = "none";
    EXPECT_EQ(run(machine, beside(kernel, routine)).counters, plain) << seed << routine;
  }
}

TEST(AssistProperties, ThatAreSpeculativeNeverFault) {
  u64 deployed = 0;
  for (u64 seed = 0; seed < 2 * seeds(); ++seed) {
    Random random(300 + seed);
    const Machine machine = randomMachine(random, 2);
    const std::string routine = wildRoutine(random, randomAnnotation(random, randomPriority(random)));
    const Subject kernel = randomKernel(seed);
    const Ran ran = run(machine, beside(kernel, routine));
    EXPECT_EQ(ran.memory, run(without(machine), kernel).memory) << seed << routine;
    deployed += ran.counted.deployed();
  }
  EXPECT_GT(deployed, 100u);
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines{""};
  for (const char each : text)
    if (each == '\n')
      lines.emplace_back();
    else
      lines.back() += each;
  return lines;
}

// An instruction of the kernel behind its first label; often of the block there, which all threads come to.
u32 randomLine(Random& random, const std::vector<std::string>& lines) {
  const std::string end = random.chance(50) ? "B1:" : "EXIT:";
  std::vector<u32> instructions;
  bool isBehindLabel = false;
  for (u32 i = 0; i < lines.size() && !lines[i].starts_with(end); ++i) {
    isBehindLabel |= lines[i].starts_with("B0:");
    if (isBehindLabel && lines[i].starts_with("  ")) instructions.push_back(i);
  }
  return instructions.at(random.below(static_cast<u32>(instructions.size())));
}

// The routine changes two registers as two instructions before the line would, whatever the compiler makes of them.
TEST(AssistProperties, ThatChangeRegistersAreAsInstructionsOfTheProgram) {
  u64 deployed = 0;
  for (u64 seed = 0; seed < 2 * seeds(); ++seed) {
    Random random(500 + seed);
    const Machine machine = randomMachine(random, 2);
    const Subject kernel = randomKernel(2 * seed);
    std::vector<std::string> lines = linesOf(kernel.ptx);
    const u32 line = randomLine(random, lines);
    const std::string word = "%r" + std::to_string(random.below(4)), pair = "%d" + std::to_string(random.below(4));
    const std::string more = std::to_string(random.below(1000));
    const std::string routine = ".visible .func (.param .b64 second, .param .b32 first) routine(.param .b32 a, .param .b64 b)\n" +
                                (".pragma \"assist priority=high on=line:" + std::to_string(line + 1)) + " in=reg:" + word +
                                ",reg:" + pair + " out=reg:" + pair + ",reg:" + word + "\";\n" + R"({
  .reg .u32 %r;
  .reg .u64 %d;
  ld.param.b32 %r, [a];
  ld.param.b64 %d, [b];
  add.u32 %r, %r, )" + more + ";\n  add.u64 %d, %d, " +
                                more + R"(;
  st.param.b64 [second], %d;
  st.param.b32 [first], %r;
  ret;
}
)";
    const Ran ran = run(machine, beside(kernel, routine));
    lines[line] =
        "  add.u32 " + word + ", " + word + ", " + more + ";\n  add.u64 " + pair + ", " + pair + ", " + more + ";\n" + lines[line];
    Subject changed = kernel;
    changed.ptx.clear();
    for (const std::string& each : lines) changed.ptx += each + "\n";
    EXPECT_EQ(ran.memory, run(without(machine), changed).memory) << seed << changed.ptx << routine;
    deployed += ran.counted.deployedHigh;
  }
  EXPECT_GT(deployed, 100u);
}

// However many threads of the host there are, and whether cycles in which nothing happens are jumped over.
TEST(AssistProperties, AreTheSameHoweverTheyAreSimulated) {
  for (u64 seed = 0; seed < seeds(); ++seed) {
    Random random(400 + seed);
    const Machine machine = randomMachine(random, 3);
    const Subject subject = beside(randomKernel(seed), randomRoutine(random, randomAnnotation(random, randomPriority(random))));
    const std::string first = run(machine, subject).all;
    machines::TimingOptions options;
    options.threads = 2 + random.below(7);
    EXPECT_EQ(run(machine, subject, options).all, first) << seed << subject.ptx;
    options = {};
    options.skip = false;
    EXPECT_EQ(run(machine, subject, options).all, first) << seed << subject.ptx;
  }
}

}  // namespace
}  // namespace warpwright::assist_tests
