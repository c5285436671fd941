// Routines of assist warps as a user has them: a file, linked into a program that knows nothing of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "assist_programs.hpp"
#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "runtime/occupancy.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::assist_tests {
namespace {

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
const std::string kAgain = kernelOf("again", R"(
  mov.u32 %r5, 0;
  mov.u32 %r7, 0;
round:
  .pragma "nounroll";
  ld.volatile.global.u32 %r6, [%d1];
  add.u32 %r7, %r7, %r6;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p0, %r5, 4;
  @%p0 bra round;
  st.global.u32 [%d1], %r7;
  ret;
)");
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
  const std::string& said = fault.outcome.message;
  EXPECT_NE(said.find("shared"), std::string::npos) << said;
  EXPECT_NE(said.find("the routine 'noting', beside a warp of kernel 'again'"), std::string::npos) << said;
  EXPECT_NE(said.find(file() + lineOf(noting("buffer", "priority=high buffer=128 speculative=no", 4096), "ld.shared") + ":"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("the program is not at fault"), std::string::npos) << said;
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

TEST_F(AssistFile, HasTheRoutinesThatAreEnabled) {
  const auto only = [](const char* names) { return [names](Settings& settings) { settings.only = names; }; };
  const std::string zeros = countingZeros("assist on=store priority=high in=value out=count");
  EXPECT_EQ(refusal(zeros, only("countZeros")), "");
  const std::string misspelt = refusal(zeros, only("countZeroes"));
  EXPECT_NE(misspelt.find("unknown routine 'countZeroes'"), std::string::npos) << misspelt;
  EXPECT_NE(misspelt.find("did you mean 'countZeros'?"), std::string::npos) << misspelt;
}

// Nothing else would tell why the routine never runs.
TEST_F(AssistFile, SaysWhichKernelsWereNeverLaunched) {
  const auto remarks = [&](const std::string& kernel) {
    const auto with = device(countingZeros("assist on=store priority=high in=value out=count kernel=" + kernel));
    launch(*with, kWork);
    return with->remarks();
  };
  EXPECT_EQ(remarks("work"), std::vector<std::string>{});
  EXPECT_EQ(remarks("wrok"),
            std::vector<std::string>{"the routine 'countZeros' names the kernel 'wrok', which was never launched: did you mean 'work'?"});
  EXPECT_EQ(
      remarks("elsewhere"),
      std::vector<std::string>{"the routine 'countZeros' names the kernel 'elsewhere', which was never launched: the kernels were work"});
}

TEST_F(AssistFile, MayBeOneOfSeveral) {
  const std::string other = file() + ".other.ptx";
  std::ofstream(other) << kHead << looping("assist on=atomic priority=high");
  const auto both = [&](Settings& settings) { settings.routines += "," + other; };
  const auto with = device(countingZeros("assist on=store priority=high in=value out=count"), {}, both);
  const Launched launched = launch(*with, kWork);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << launched.outcome.message;
  EXPECT_EQ(launched.counted.counted, kZerosOfEmptyMemory);
  EXPECT_EQ(launched.counted.deployedHigh, kStores + kAll / 32);
  std::ofstream(other) << kHead << ".visible .func forgotten()\n{\n  ret;\n}\n";
  EXPECT_NE(refusal(countingZeros("assist on=store in=value out=count"), both).find("'" + other + "' has no routine"), std::string::npos);
  std::remove(other.c_str());
}

// What routines add is printed where a user looks for occupancy, and stands in the JSON of each launch.
TEST_F(AssistFile, IsReportedWithWhatItTakes) {
  const auto with = device(noting("table", "table=8192"));
  launch(*with, kAgain);
  const isa::Program& program = with->loadModule(std::string(kHead) + kAgain, "again.ptx").loaded->program;
  const isa::Function &kernel = *program.findFunction("again"), &routine = *program.findFunction("noting");
  const u32 alone = runtime::occupancyOf(with->settings().machine, {kThreads, kernel.registers, 0}).blocksPerSm;
  const u32 beside = with->occupancy(kernel, kThreads, 0).blocksPerSm;
  ASSERT_LT(beside, alone);
  const machines::TimingProfile& timing = with->timing();
  const std::string text = timing.text(*timing.kernels().at(0), nullptr, {.width = 200});
  EXPECT_NE(text.find(fmt::format("mechanisms add {} registers to a thread and 8192 bytes of shared memory to a block: an SM holds {} "
                                  "blocks, without them {}",
                                  routine.registers, beside, alone)),
            std::string::npos)
      << text;
  stats::Json data = with->profile().data();
  timing.addTo(data, with->profile());
  const stats::Json added = data["kernels"][0]["timing"]["launches"][0]["added_by_mechanisms"];
  EXPECT_EQ(added, (stats::Json{{"registers_per_thread", routine.registers},
                                {"shared_bytes_per_block", 8192},
                                {"resident_blocks", beside},
                                {"resident_blocks_without", alone}}));
  const auto& counted = timing.kernels().at(0)->counters.gpu.mechanisms;
  const auto* assist = dynamic_cast<const stats::Structure<Statistics>*>(counted.find("assist_warps"));
  ASSERT_NE(assist, nullptr);
  EXPECT_EQ(assist->value().storeUsed.value, u64{routine.end - routine.begin} * with->settings().machine.sm.instructionBytes);
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
}  // namespace warpwright::assist_tests
