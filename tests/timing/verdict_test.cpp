// What limits a kernel: for each rule a kernel that it must name, and one that it must not.
#include "machines/verdict/verdict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/demangle.hpp"
#include "config/machine.hpp"
#include "machines/verdict/what_if.hpp"
#include "profile/kernel_profile.hpp"
#include "runtime/device.hpp"

namespace warpwright::machines {
namespace {

// Kernels have a parameter `data`, 64 MiB of zeros, and these registers: %t, the thread in its block; %g, in the grid; %a, the address of
// its word; %i, %p and others for themselves.
std::string kernelOf(const std::string& body, const std::string& declarations = "") {
  return R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry work(.param .u64 data)
{
  .reg .u32 %t, %g, %i, %n, %v, %w, %x, %y;
  .reg .u64 %a, %d, %o;
  .reg .f32 %f<8>;
  .reg .f64 %e<8>;
  .reg .pred %p, %q;
)" + declarations +
         R"(
  ld.param.u64 %d, [data];
  mov.u32 %t, %tid.x;
  mov.u32 %g, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %g, %g, %n, %t;
  mul.wide.u32 %o, %g, 4;
  add.u64 %a, %d, %o;
  mov.u32 %i, 0;
)" + body +
         R"(
  ret;
}
)";
}

// So many times round.
std::string loop(u32 times, const std::string& body) {
  return "round:\n" + body + fmt::format("  add.u32 %i, %i, 1;\n  setp.lt.u32 %p, %i, {};\n  @%p bra round;\n", times);
}
std::string repeated(u32 times, const std::string& body) {
  std::string text;
  for (u32 i = 0; i < times; ++i) text += body;
  return text;
}

// Of what has been computed, which would else be left out.
const std::string kStores =
    "  add.f32 %f1, %f1, %f3;\n  st.global.f32 [%a], %f1;\n  add.u32 %v, %v, %w;\n  st.global.u32 [%a+1048576], %v;\n";

struct Shape {
  u32 blocks = 32, threads = 256, sharedBytes = 0;  // one wave on four SMs
};

class Verdicts : public ::testing::Test {
 protected:
  std::vector<Limit> limits(const std::string& kernel, const Shape& shape, const std::vector<std::string>& overrides = {}) {
    runtime::Settings settings;
    settings.machine = config::loadMachine(machine_, with(overrides));
    settings.timing.emplace();
    settings.profile = true;
    device_ = std::make_unique<runtime::Device>(settings);
    runtime::Launch launch;
    launch.module = &device_->loadModule(kernel, "work.ptx");
    launch.kernel = launch.module->loaded->program.findFunction("work");
    launch.grid = {shape.blocks};
    launch.block = {shape.threads};
    launch.dynamicSharedBytes = shape.sharedBytes;
    const u64 data = device_->memory().allocate(64 << 20, exec::AllocationKind::device).value();
    launch.parameters.resize(sizeof data);
    std::memcpy(launch.parameters.data(), &data, sizeof data);
    const runtime::LaunchOutcome outcome = device_->launch(launch);
    EXPECT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
    const KernelTiming& timing = *device_->timing().kernels().at(0);
    cycles_ = timing.counters.cycles;
    const std::vector<Limit> result = limitsOf(timing, device_->profile().kernels().at(0), settings.machine);
    double sum = 0;
    for (const Limit& limit : result) {
      sum += limit.share;
      EXPECT_FALSE(limit.evidence.empty() || limit.remedy.empty()) << limit.rule;
    }
    EXPECT_LE(sum, 1.0001);
    EXPECT_TRUE(std::ranges::is_sorted(result, std::greater{}, &Limit::share));
    return result;
  }
  std::string first(const std::string& kernel, const Shape& shape, const std::vector<std::string>& overrides = {}) {
    last_ = limits(kernel, shape, overrides);
    return last_.empty() ? "" : std::string(last_.front().rule);
  }
  bool names(std::string_view rule) const { return std::ranges::find(last_, rule, &Limit::rule) != last_.end(); }
  // Of those that the last launch has, by its rule; an empty one where it has none.
  Limit limit(std::string_view rule) const {
    const auto found = std::ranges::find(last_, rule, &Limit::rule);
    return found == last_.end() ? Limit{} : *found;
  }
  // Cycles on a machine without a limit, as a share of those of the last launch.
  double without(std::string_view whatIf, const std::string& kernel, const Shape& shape) {
    const u64 own = cycles_;
    limits(kernel, shape, findWhatIf(whatIf)->settings(config::loadMachine(machine_, with({}))));
    return static_cast<double>(cycles_) / static_cast<double>(own);
  }

  std::string machine_ = "v100";
  std::vector<Limit> last_;
  u64 cycles_ = 0;

 private:
  // Four SMs, so that 32 blocks fill them, and no time before the first block.
  static std::vector<std::string> with(const std::vector<std::string>& overrides) {
    std::vector<std::string> all{"chip.multiprocessors=4", "sm.pipeline.launch_latency=0"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return all;
  }

  std::unique_ptr<runtime::Device> device_;
};

const std::string kArithmetic = kernelOf(
    loop(200, repeated(4,
                       "  add.u32 %v, %v, %t;\n  fma.rn.f32 %f1, %f1, %f1, %f2;\n  xor.b32 %w, %w, %v;\n  fma.rn.f32 %f3, %f3, %f3, %f2;\n"
                       "  fma.rn.f32 %f1, %f1, %f1, %f2;\n")) +
    kStores);

// Each load's address is that of the one before: zeros are added to it.
const std::string kChase = kernelOf(loop(50,
                                         "  ld.global.cg.u32 %v, [%a];\n  cvt.u64.u32 %o, %v;\n  add.u64 %a, %a, %o;\n"
                                         "  add.u64 %a, %a, 4096;\n") +
                                    "  st.global.u32 [%a], %v;\n");

TEST_F(Verdicts, AGridSmallerThanTheMachine) {
  EXPECT_EQ(first(kArithmetic, {.blocks = 1}, {"chip.multiprocessors=80"}), "small_grid");
  EXPECT_GT(last_.front().share, 0.95);
  EXPECT_NE(last_.front().evidence.find("1 blocks for 80 SMs"), std::string::npos) << last_.front().evidence;
  EXPECT_NE(first(kArithmetic, {}), "small_grid");
  EXPECT_FALSE(names("small_grid"));
}

TEST_F(Verdicts, ATailOfBlocksThatTakeLonger) {
  // The last block takes a hundred times as long.
  const std::string kernel = kernelOf(
      "  mov.u32 %x, %ctaid.x;\n  mov.u32 %y, 20;\n  setp.eq.u32 %q, %x, 31;\n  @%q mov.u32 %y, 2000;\n"
      "round:\n  add.u32 %v, %v, %t;\n  add.u32 %i, %i, 1;\n  setp.lt.u32 %p, %i, %y;\n  @%p bra round;\n" +
      kStores);
  EXPECT_EQ(first(kernel, {}), "tail");
  EXPECT_NE(last_.front().evidence.find("8.00 for each of 4 SMs"), std::string::npos) << last_.front().evidence;
  EXPECT_NE(last_.front().remedy.find("multiple of 4"), std::string::npos) << "less than a wave is no matter of waves";
  first(kernel, {.blocks = 40});
  EXPECT_NE(limit("tail").evidence.find("1.25 waves of 32"), std::string::npos) << limit("tail").evidence;
  first(kArithmetic, {});
  EXPECT_FALSE(names("tail"));
}

TEST_F(Verdicts, SchedulersThatIssueAllTheTime) {
  first(kArithmetic, {});
  EXPECT_TRUE(names("issue"));
  EXPECT_FALSE(names("divergence"));
  first(kChase, {});
  EXPECT_FALSE(names("issue"));
}

TEST_F(Verdicts, LanesThatRest) {
  const std::string work = repeated(8, "  mad.lo.u32 %v, %v, %t, %i;\n  fma.rn.f32 %f1, %f1, %f1, %f2;\n");
  const std::string kernel =
      kernelOf("  and.b32 %x, %t, 3;\n  setp.ne.u32 %q, %x, 0;\n" + loop(100, "  @%q bra skip;\n" + work + "skip:\n") + kStores);
  first(kernel, {});
  EXPECT_TRUE(names("divergence"));
}

TEST_F(Verdicts, ConstantsOfDoublePrecision) {
  // x = x * 1.5 + 0.5 in double precision, between conversions, as C++ has it of float x.
  const std::string kernel = kernelOf("  cvt.rn.f32.u32 %f1, %t;\n" +
                                      loop(100, repeated(4,
                                                         "  cvt.f64.f32 %e1, %f1;\n  fma.rn.f64 %e1, %e1, 0d3FF8000000000000, "
                                                         "0d3FE0000000000000;\n  cvt.rn.f32.f64 %f1, %e1;\n")) +
                                      "  st.global.f32 [%a], %f1;\n");
  EXPECT_EQ(first(kernel, {}), "pipe");
  EXPECT_NE(last_.front().remedy.find("suffix f"), std::string::npos) << last_.front().remedy;
}

TEST_F(Verdicts, PipesOfDoublePrecision) {
  const std::string chain = "  fma.rn.f64 %e1, %e1, %e1, %e3;\n  fma.rn.f64 %e2, %e2, %e2, %e3;\n";
  const std::string kernel = kernelOf(loop(100, repeated(4, chain)) + "  add.f64 %e1, %e1, %e2;\n  cvt.rn.f32.f64 %f1, %e1;\n" + kStores);
  EXPECT_EQ(first(kernel, {}), "pipe");
  EXPECT_NE(last_.front().evidence.find("double-precision"), std::string::npos) << last_.front().evidence;
  EXPECT_EQ(last_.front().whatIfs, std::vector<std::string_view>{"fast-double"});
  EXPECT_LT(without("fast-double", kernel, {}), 0.8);
  first(kChase, {});
  EXPECT_FALSE(names("pipe"));
}

// What takes these pipes is named: functions, or reads of special registers.
TEST_F(Verdicts, PipesOfSpecialFunctions) {
  EXPECT_EQ(first(kernelOf(loop(100, repeated(4, "  ex2.approx.f32 %f1, %f1;\n  ex2.approx.f32 %f3, %f3;\n")) + kStores), {}), "pipe");
  EXPECT_NE(last_.front().evidence.find("transcendental"), std::string::npos) << last_.front().evidence;
  EXPECT_NE(last_.front().remedy.find("transcendental"), std::string::npos) << last_.front().remedy;
  EXPECT_EQ(first(kernelOf(loop(100, repeated(4, "  mov.u32 %x, %clock;\n  add.u32 %v, %v, %x;\n")) + kStores), {}), "pipe");
  EXPECT_NE(last_.front().evidence.find("special registers"), std::string::npos) << last_.front().evidence;
  EXPECT_EQ(last_.front().remedy.find("transcendental"), std::string::npos) << last_.front().remedy;
}

TEST_F(Verdicts, SharedMemoryThatLeavesRoomForFewWarps) {
  const std::string kernel = kernelOf(loop(400, "  fma.rn.f32 %f1, %f1, %f1, %f1;\n") + kStores);
  const Shape shape{.blocks = 128, .threads = 32, .sharedBytes = 49152};
  first(kernel, shape);
  ASSERT_TRUE(names("few_warps"));
  const Limit& limit = *std::ranges::find(last_, std::string_view("few_warps"), &Limit::rule);
  EXPECT_NE(limit.evidence.find("shared memory"), std::string::npos) << limit.evidence;
  EXPECT_EQ(limit.whatIfs, std::vector<std::string_view>{"more-warps"});
  EXPECT_LT(without("more-warps", kernel, shape), 0.5);
  first(kernel, {.blocks = 64, .threads = 256});
  EXPECT_FALSE(names("few_warps"));
}

std::string sharedLoads(u32 stride) {
  return kernelOf(fmt::format("  mul.lo.u32 %x, %t, {};\n  and.b32 %x, %x, 16383;\n", 4 * stride) +
                      loop(50, repeated(8, "  ld.volatile.shared.u32 %v, [%x];\n")) + "  st.global.u32 [%a], %v;\n",
                  "  .shared .align 4 .b8 array[16384];\n");
}

TEST_F(Verdicts, BankConflicts) {
  EXPECT_EQ(first(sharedLoads(32), {}), "bank_conflicts");
  EXPECT_EQ(last_.front().whatIfs, std::vector<std::string_view>{"no-bank-conflicts"});
  EXPECT_LT(without("no-bank-conflicts", sharedLoads(32), {}), 0.5);
  first(sharedLoads(1), {});
  EXPECT_FALSE(names("bank_conflicts"));
}

// Each thread copies words a grid apart.
std::string streaming(u32 times) {
  return kernelOf(loop(times, "  ld.global.u32 %v, [%a];\n  add.u32 %w, %w, %v;\n  add.u64 %a, %a, 262144;\n") +
                  "  st.global.u32 [%a], %w;\n");
}
const std::string kStreaming = streaming(16);
const std::vector<std::string> kOneChannel{"dram.channels=1", "chip.l2_cache_bytes=196608", "chip.memory_bus_bits=128",
                                           "chip.multiprocessors=8"};

TEST_F(Verdicts, BandwidthOfDram) {
  EXPECT_EQ(first(kStreaming, {.blocks = 256}, kOneChannel), "dram_bandwidth");
  EXPECT_EQ(last_.front().whatIfs, std::vector<std::string_view>{"endless-dram"});
  first(kArithmetic, {});
  EXPECT_FALSE(names("dram_bandwidth"));
}

TEST_F(Verdicts, LatencyOfMemory) {
  EXPECT_EQ(first(kChase, {.blocks = 32, .threads = 128}), "memory_latency");
  EXPECT_TRUE(std::ranges::count(last_.front().whatIfs, std::string_view("perfect-memory")) == 1);
  EXPECT_FALSE(names("shared_memory_latency"));
  EXPECT_LT(without("perfect-memory", kChase, {.blocks = 32, .threads = 128}), 0.5);
  first(kArithmetic, {});
  EXPECT_FALSE(names("memory_latency"));
}

TEST_F(Verdicts, LatencyOfSharedMemory) {
  // Each load's address is what the one before has read: zero.
  const std::string kernel =
      kernelOf("  shl.b32 %x, %t, 2;\n" + loop(200, repeated(4, "  ld.volatile.shared.u32 %x, [%x];\n")) + "  st.global.u32 [%a], %x;\n",
               "  .shared .align 4 .b8 array[4096];\n");
  EXPECT_EQ(first(kernel, {.blocks = 4, .threads = 128}), "shared_memory_latency");
  EXPECT_FALSE(names("memory_latency")) << "memory beyond the SM could be as near as it likes";
  EXPECT_EQ(last_.front().evidence.find("DRAM"), std::string::npos) << last_.front().evidence;
  first(kArithmetic, {});
  EXPECT_FALSE(names("shared_memory_latency"));
}

TEST_F(Verdicts, ManyTransactionsForAnAccess) {
  // Lines of the first-level cache, another for each lane.
  const std::string kernel =
      kernelOf("  and.b32 %x, %t, 31;\n  mul.wide.u32 %o, %x, 128;\n  add.u64 %a, %d, %o;\n" +
               loop(100,
                    "  ld.global.u32 %v, [%a];\n  ld.global.u32 %w, [%a+32];\n  add.u32 %y, %y, %v;\n  add.u32 %y, %y, %w;\n"
                    "  xor.b64 %a, %a, 64;\n") +
               "  st.global.u32 [%a], %y;\n");
  first(kernel, {});
  EXPECT_TRUE(names("transactions"));
  EXPECT_NE(limit("transactions").remedy.find("neighbouring"), std::string::npos) << limit("transactions").remedy;
  EXPECT_FALSE(names("memory_latency")) << "the load/store unit is why";
  first(kArithmetic, {});
  EXPECT_FALSE(names("transactions"));
}

TEST_F(Verdicts, TransactionsThatAreFull) {
  const std::string kernel = kernelOf(
      "  and.b32 %x, %t, 31;\n  mul.wide.u32 %o, %x, 16;\n  add.u64 %a, %d, %o;\n  add.u64 %a, %a, 768;\n" +
      loop(100, "  ld.global.v4.u32 {%v, %w, %x, %n}, [%a];\n  add.u32 %y, %y, %v;\n  add.u32 %y, %y, %w;\n  xor.b64 %a, %a, 512;\n") +
      "  st.global.u32 [%a], %y;\n");
  first(kernel, {});
  ASSERT_TRUE(names("transactions"));
  EXPECT_EQ(limit("transactions").remedy.find("float4"), std::string::npos) << limit("transactions").remedy;
  EXPECT_EQ(limit("transactions").remedy.find("neighbouring"), std::string::npos) << limit("transactions").remedy;
}

// Nobody waits for what they have read: the warps are gone long before the atomics unit has done its work.
TEST_F(Verdicts, AtomicsWithoutResults) {
  const std::string kernel = kernelOf("  red.global.add.u32 [%d], 1;\n");
  EXPECT_EQ(first(kernel, {.blocks = 160, .threads = 64}), "atomics");
  EXPECT_GT(last_.front().share, 0.7);
  EXPECT_FALSE(names("tail"));
  EXPECT_EQ(first(kernel, {.blocks = 1, .threads = 64}), "memory_latency") << "SMs without a block could do nothing for its answers";
}

TEST_F(Verdicts, StoresThatBlocksLeaveBehind) {
  const std::string kernel = kernelOf("  mul.wide.u32 %o, %g, 16;\n  add.u64 %a, %d, %o;\n  st.global.v4.u32 [%a], {%v, %v, %v, %v};\n");
  EXPECT_EQ(first(kernel, {.blocks = 1024}, kOneChannel), "dram_bandwidth");
  EXPECT_GT(last_.front().share, 0.6);
  EXPECT_FALSE(names("tail"));
  // Ended blocks hold most of the places, so that the warps of the others wait for results of pipes with nothing else to do.
  machine_ = "gtx480";
  EXPECT_EQ(first(kernel, {.blocks = 1024}, {"chip.multiprocessors=15"}), "dram_bandwidth");
  EXPECT_LT(limit("pipe_latency").share, 0.1);
}

TEST_F(Verdicts, AtomicsOnOneWord) {
  const std::string kernel = kernelOf(loop(20, "  red.global.add.u32 [%d], 1;\n  atom.global.add.u32 %v, [%d+4], 1;\n"));
  first(kernel, {});
  ASSERT_TRUE(names("atomics"));
  const Limit& limit = *std::ranges::find(last_, std::string_view("atomics"), &Limit::rule);
  EXPECT_EQ(limit.whatIfs, std::vector<std::string_view>{"endless-atomics"});
  EXPECT_LT(without("endless-atomics", kernel, {}), 0.5);
  first(kArithmetic, {});
  EXPECT_FALSE(names("atomics"));
  first(kStreaming, {});
  EXPECT_FALSE(names("atomics"));
}

TEST_F(Verdicts, Barriers) {
  // One warp of eight works between barriers.
  const std::string kernel =
      kernelOf("  setp.ge.u32 %q, %t, 32;\n" +
               loop(50, "  @%q bra skip;\n" + repeated(32, "  fma.rn.f32 %f1, %f1, %f1, %f1;\n") + "skip:\n  bar.sync 0;\n") + kStores);
  first(kernel, {.blocks = 8, .threads = 1024});
  EXPECT_TRUE(names("barriers"));
  first(kArithmetic, {});
  EXPECT_FALSE(names("barriers"));
}

TEST_F(Verdicts, InstructionsThatAreFetchedOnce) {
  const std::string kernel =
      kernelOf(repeated(1500, "  mad.lo.u32 %v, %v, %t, %g;\n  xor.b32 %v, %v, %g;\n") + "  st.global.u32 [%a], %v;\n");
  EXPECT_EQ(first(kernel, {.blocks = 64, .threads = 128}, {"sm.pipeline.prefetch_lines=0"}), "fetch");
  EXPECT_LT(without("perfect-fetch", kernel, {.blocks = 64, .threads = 128}), 0.9);
  first(kArithmetic, {});
  EXPECT_FALSE(names("fetch"));
}

TEST_F(Verdicts, ChainsOfInstructions) {
  const std::string kernel = kernelOf(loop(100, repeated(16, "  fma.rn.f32 %f1, %f1, %f1, %f1;\n")) + "  st.global.f32 [%a], %f1;\n");
  EXPECT_EQ(first(kernel, {.blocks = 4, .threads = 128}), "pipe_latency");
  first(sharedLoads(32), {});
  EXPECT_FALSE(names("pipe_latency"));
}

// Of the time before the first block nothing can be used, and it says nothing of what limits the rest: with the latency of this machine's
// own.
TEST_F(Verdicts, LaunchesThatTakeAsLongAsTheKernel) {
  std::vector<std::string> machine{kOneChannel};
  machine.push_back(fmt::format("sm.pipeline.launch_latency={}", config::loadMachine("v100").sm.launchLatency));
  first(streaming(4), {.blocks = 32}, machine);
  EXPECT_GT(limit("launch").share, 0.3);
  EXPECT_TRUE(names("dram_bandwidth"));
  EXPECT_FALSE(names("memory_latency"));
  first(kernelOf("  red.global.add.u32 [%d], 1;\n"), {.blocks = 40, .threads = 64}, machine);
  EXPECT_GT(limit("launch").share, 0.5);
  EXPECT_TRUE(names("atomics"));
  EXPECT_FALSE(names("tail"));
}

TEST_F(Verdicts, TimeBeforeTheFirstBlock) {
  EXPECT_EQ(first(kArithmetic, {}, {"sm.pipeline.launch_latency=100000"}), "launch");
  EXPECT_EQ(last_.front().whatIfs, std::vector<std::string_view>{"free-launches"});
  EXPECT_LT(without("free-launches", kArithmetic, {}), 0.6);
  first(kArithmetic, {});
  EXPECT_FALSE(names("launch"));
}

TEST_F(Verdicts, SharedMemoryThatIsBusyWithoutConflicts) {
  EXPECT_EQ(first(sharedLoads(1), {}), "shared_memory_bandwidth");
  first(kArithmetic, {});
  EXPECT_FALSE(names("shared_memory_bandwidth"));
}

// Words that L2 has after the first time round: each warp's own line, or with `spread` a line for each lane.
std::string fromL2(u32 times, bool spread) {
  const std::string spreading = "  mul.wide.u32 %o, %g, 128;\n  and.b64 %o, %o, 65535;\n  add.u64 %a, %d, %o;\n";
  return kernelOf((spread ? spreading : std::string()) +
                  loop(times, "  ld.global.cg.u32 %v, [%a];\n  add.u32 %w, %w, %v;\n  xor.b64 %a, %a, 32;\n") +
                  "  st.global.u32 [%a], %w;\n");
}

TEST_F(Verdicts, BandwidthOfTheNetworks) {
  EXPECT_EQ(first(fromL2(100, false), {}, {"network.flit_bytes=8"}), "network_bandwidth");
  first(kArithmetic, {}, {"network.flit_bytes=8"});
  EXPECT_FALSE(names("network_bandwidth"));
}

const std::vector<std::string> kOneSlice{"dram.channels=1", "partition.slices=1", "partition.network_ports=1", "chip.l2_cache_bytes=98304",
                                         "chip.memory_bus_bits=128"};

TEST_F(Verdicts, BandwidthOfL2) {
  std::vector<std::string> fastNetwork{kOneSlice};
  fastNetwork.push_back("network.clock_khz=4528000");
  EXPECT_EQ(first(fromL2(100, true), {}, fastNetwork), "l2_bandwidth");
  first(fromL2(100, true), {});
  EXPECT_FALSE(names("l2_bandwidth"));
}

// Volatile, as the compiler would make one load of those of an unrolled loop.
TEST_F(Verdicts, OneSliceThatAllAsk) {
  const std::string oneWord =
      kernelOf(loop(100, "  ld.volatile.global.u32 %v, [%d];\n  add.u32 %w, %w, %v;\n") + "  st.global.u32 [%a], %w;\n");
  EXPECT_EQ(first(oneWord, {}), "slice_camping");
  first(fromL2(100, true), {});
  EXPECT_FALSE(names("slice_camping"));
}

// Each warp's next 256 bytes lie so many bytes from the ones before; those of all warps side by side.
std::string rowsApart(u32 bytes) {
  return kernelOf(
      fmt::format("  shr.u32 %x, %g, 5;\n  mul.wide.u32 %o, %x, {};\n  add.u64 %d, %d, %o;\n"
                  "  and.b32 %x, %t, 31;\n  mul.wide.u32 %o, %x, 8;\n  add.u64 %a, %d, %o;\n",
                  bytes) +
      loop(16, fmt::format("  ld.global.cg.v2.u32 {{%v, %w}}, [%a];\n  add.u32 %y, %y, %v;\n  add.u64 %a, %a, {};\n", 256 * bytes)) +
      "  st.global.u32 [%a], %y;\n");
}

TEST_F(Verdicts, OneChannelThatAllAsk) {
  const std::vector<std::string> plain{"dram.hash_channels=false"};
  EXPECT_EQ(first(rowsApart(8192), {}, plain), "channel_camping");
  first(rowsApart(8192 + 256), {}, plain);
  EXPECT_FALSE(names("channel_camping"));
}

TEST_F(Verdicts, BanksOfTheRegisterFile) {
  first(kArithmetic, {}, {"sm.pipeline.register_banks=1", "sm.pipeline.register_bank_ports=1"});
  EXPECT_TRUE(names("register_banks"));
  first(kArithmetic, {});
  EXPECT_FALSE(names("register_banks"));
}

TEST(WhatIfs, AreSettingsThatEveryTimedMachineTakes) {
  for (const std::string machine : {"gtx480", "v100", "rtx3070", "fermi-caba"}) {
    const config::Machine base = config::loadMachine(machine);
    for (const WhatIf& each : whatIfs()) {
      const std::vector<std::string> settings = each.settings(base);
      EXPECT_FALSE(settings.empty());
      EXPECT_NO_THROW(config::loadMachine(machine, settings)) << machine << ' ' << each.name;
    }
  }
}

}  // namespace
}  // namespace warpwright::machines
