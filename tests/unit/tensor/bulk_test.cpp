// Bulk copies and reductions of plain bytes (PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk").
#include <bit>
#include <cmath>

#include "bulk_kernels.hpp"

namespace warpwright::tensor {
namespace {

constexpr char kLoad[] =
    "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;\n"
    "@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 128, [%b];\n";
constexpr char kFenced[] = "fence.proxy.async.shared::cta;\nbar.sync 0;\n";
// Every thread writes its word of the tile: 100 + %tid.
const std::string kWriteTile = "add.u32 %v0, %tid, 100;\nst.shared.b32 [%own], %v0;\n";

TEST(BulkLoad, ArrivesWithThePhase) {
  const std::string body = kBulkPrologue + kLoad + "ld.shared.b32 %v0, [%own];\n" + kAwaitPhase +
                           "ld.shared.b32 %v1, [%own];\nst.global.v2.b32 [%to], {%v0, %v1};";
  const std::vector<u32> out = run<u32>(body, numbers(32), 64, bulkSetup());
  for (u32 t = 0; t < 32; ++t) {
    EXPECT_EQ(out[2 * t], 0u) << "before the wait";
    EXPECT_EQ(out[2 * t + 1], t + 1);
  }
}

// The two lots of bytes make one phase; while the thread has yet to arrive, nothing does.
TEST(BulkLoad, WaitsForArrivalsOfThreads) {
  const std::string copy = "@%first cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes ";
  const std::string body = kBulkPrologue + "@%first mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%b], 128;\n" + copy +
                           "[%s], [%in], 64, [%b];\n" + copy + "[%s+64], [%in+64], 64, [%b];\n" +
                           "mbarrier.test_wait.parity.shared.b64 %p, [%b], 0;\nld.shared.b32 %v0, [%own];\n"
                           "@%first mbarrier.arrive.shared.b64 _, [%b];\n" +
                           kAwaitPhase + "ld.shared.b32 %v1, [%own];\nst.global.v2.b32 [%to], {%v0, %v1};";
  const std::vector<u32> out = run<u32>(body, numbers(32), 64, bulkSetup());
  for (u32 t = 0; t < 32; ++t) {
    EXPECT_EQ(out[2 * t], 0u);
    EXPECT_EQ(out[2 * t + 1], t + 1);
  }
}

TEST(BulkLoad, MulticastReachesTheBlocksOfTheMask) {
  const std::string body = kBulkPrologue +
                           "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;\n"
                           "@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                           "[%s], [%in], 128, [%b], 1;\n" +
                           kAwaitPhase + "ld.shared.b32 %v1, [%own];\nst.global.b32 [%to], %v1;";
  const std::vector<u32> out = run<u32>(body, numbers(32), 64, bulkSetup());
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(out[2 * t], t + 1);
}

TEST(BulkSend, CopiesWithinACluster) {
  const std::string body = kBulkPrologue + kWriteTile + kFenced +
                           "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;\n"
                           "@%first cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%s+512], [%s], 128, [%b];\n" +
                           kAwaitPhase + "ld.shared.b32 %v1, [%own+512];\nst.global.b32 [%to], %v1;";
  const std::vector<u32> out = run<u32>(body, numbers(32), 64, bulkSetup());
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(out[2 * t], t + 100);
}

TEST(BulkStore, IsWrittenWhenItsGroupIsAwaited) {
  const std::string body = kBulkPrologue + kWriteTile + kFenced +
                           "@%first cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128;\n"
                           "@%first cp.async.bulk.commit_group;\n@%first cp.async.bulk.wait_group.read 0;\n"
                           "ld.global.b32 %v1, [%out];\n@%first st.global.b32 [%out+128], %v1;\n"
                           "@%first cp.async.bulk.wait_group 0;\nld.global.b32 %v1, [%out];\n@%first st.global.b32 [%out+132], %v1;";
  const std::vector<u32> out = run<u32>(body, numbers(1), 34, bulkSetup());
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(out[t], t + 100);
  EXPECT_EQ(out[32], 0u) << "its source alone was read";
  EXPECT_EQ(out[33], 100u);
}

// A source that is written again before it was read spoils the copy; .read is enough to wait for.
TEST(BulkStore, ReadsItsSourceAsLateAsItMay) {
  for (const bool waits : {false, true}) {
    const std::string body = kBulkPrologue + kWriteTile + kFenced +
                             "@%first cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128;\n"
                             "@%first cp.async.bulk.commit_group;\n" +
                             (waits ? "@%first cp.async.bulk.wait_group.read 0;\n" : "") +
                             "bar.sync 0;\nmov.u32 %v1, 7;\nst.shared.b32 [%own], %v1;\n@%first cp.async.bulk.wait_group 0;";
    const std::vector<u32> out = run<u32>(body, numbers(1), 32, bulkSetup());
    for (u32 t = 0; t < 32; ++t) EXPECT_EQ(out[t], waits ? t + 100 : 7u);
  }
}

TEST(BulkStore, WaitGroupLeavesTheNewestGroups) {
  const std::string store = "@%first cp.async.bulk.global.shared::cta.bulk_group ", commit = "@%first cp.async.bulk.commit_group;\n";
  const std::string body = kBulkPrologue + kWriteTile + kFenced + store + "[%out], [%s], 16;\n" + commit + store +
                           "[%out+16], [%s+16], 16;\n" + commit + store +
                           "[%out+32], [%s+32], 16;\n@%first cp.async.bulk.wait_group 1;\n"
                           "ld.global.b32 %v1, [%out];\nld.global.b32 %v2, [%out+16];\nld.global.b32 %v3, [%out+32];\n"
                           "@%first st.global.b32 [%out+64], %v1;\n@%first st.global.b32 [%out+68], %v2;\n"
                           "@%first st.global.b32 [%out+72], %v3;";
  const std::vector<u32> out = run<u32>(body, numbers(1), 20, bulkSetup());
  EXPECT_EQ(std::vector<u32>(&out[16], &out[16] + 3), (std::vector<u32>{100, 0, 0}));
  EXPECT_EQ(out[4], 104u) << "written at the thread's end";
  EXPECT_EQ(out[8], 108u);
}

// --- reductions

// in: 128 bytes that `out` holds before, then 128 that are reduced into it.
std::vector<u8> reduced(const std::string& operation, const std::vector<u8>& in, bool between) {
  const std::string load =
      "mul.wide.u32 %from, %tid, 4;\nadd.u64 %from, %from, %in;\nld.global.b32 %v0, [%from];\nld.global.b32 %v1, [%from+128];\n"
      "st.shared.b32 [%own+512], %v0;\nst.shared.b32 [%own], %v1;\nmul.wide.u32 %to, %tid, 4;\nadd.u64 %to, %to, %out;\n"
      "st.global.b32 [%to], %v0;\n";
  const std::string global = "@%first cp.reduce.async.bulk.global.shared::cta.bulk_group." + operation +
                             " [%out], [%s], 128;\n@%first cp.async.bulk.commit_group;\n@%first cp.async.bulk.wait_group 0;\n";
  const std::string shared =
      "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;\n"
      "@%first cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." +
      operation + " [%s+512], [%s], 128, [%b];\n" + kAwaitPhase + "ld.shared.b32 %v0, [%own+512];\nst.global.b32 [%to], %v0;\n";
  return run<u8>(kBulkPrologue + load + kFenced + (between ? shared : global), in, 128, bulkSetup());
}

template <typename T, typename Combine>
void expectReduction(const std::string& operation, bool between, Combine combine) {
  std::vector<u8> in(256);
  for (u32 i = 0; i < in.size(); ++i) in[i] = static_cast<u8>(i * 37 + 11);
  // Floats of moderate size.
  if (std::is_floating_point_v<T>)
    for (u32 i = 0; i < 256 / sizeof(T); ++i) {
      const T value = static_cast<T>(i) * T(1.5) - T(7);
      std::memcpy(&in[i * sizeof(T)], &value, sizeof(T));
    }
  const std::vector<u8> out = reduced(operation, in, between);
  for (u32 i = 0; i < 128 / sizeof(T); ++i) {
    T before, with, after;
    std::memcpy(&before, &in[i * sizeof(T)], sizeof(T));
    std::memcpy(&with, &in[128 + i * sizeof(T)], sizeof(T));
    std::memcpy(&after, &out[i * sizeof(T)], sizeof(T));
    const T expected = combine(before, with);
    EXPECT_EQ(std::memcmp(&expected, &after, sizeof(T)), 0) << operation << " of element " << i;
  }
}

template <typename T>
void expectIntegers(const std::string& type, bool between) {
  expectReduction<T>("min." + type, between, [](T a, T b) { return std::min(a, b); });
  expectReduction<T>("max." + type, between, [](T a, T b) { return std::max(a, b); });
}

TEST(BulkReduction, InGlobalMemory) {
  expectReduction<u32>("and.b32", false, [](u32 a, u32 b) { return a & b; });
  expectReduction<u64>("or.b64", false, [](u64 a, u64 b) { return a | b; });
  expectReduction<u64>("xor.b64", false, [](u64 a, u64 b) { return a ^ b; });
  expectReduction<u32>("add.u32", false, [](u32 a, u32 b) { return a + b; });
  expectReduction<u32>("add.s32", false, [](u32 a, u32 b) { return a + b; });
  expectReduction<u64>("add.u64", false, [](u64 a, u64 b) { return a + b; });
  expectReduction<float>("add.f32", false, [](float a, float b) { return a + b; });
  expectReduction<double>("add.f64", false, [](double a, double b) { return a + b; });
  expectReduction<u32>("inc.u32", false, [](u32 a, u32 b) { return a >= b ? 0 : a + 1; });
  expectReduction<u32>("dec.u32", false, [](u32 a, u32 b) { return a == 0 || a > b ? b : a - 1; });
  expectIntegers<u32>("u32", false);
  expectIntegers<s32>("s32", false);
  expectIntegers<u64>("u64", false);
  expectIntegers<s64>("s64", false);
}

TEST(BulkReduction, BetweenSharedMemories) {
  expectReduction<u32>("or.b32", true, [](u32 a, u32 b) { return a | b; });
  expectReduction<u32>("add.u32", true, [](u32 a, u32 b) { return a + b; });
  expectReduction<u64>("add.u64", true, [](u64 a, u64 b) { return a + b; });
  expectReduction<u32>("inc.u32", true, [](u32 a, u32 b) { return a >= b ? 0 : a + 1; });
  expectIntegers<u32>("u32", true);
  expectIntegers<s32>("s32", true);
}

// 1.5 + 2.25 in both 16-bit formats, and minima of them.
TEST(BulkReduction, OfHalves) {
  const auto check = [](const std::string& operation, u16 before, u16 with, u16 after) {
    std::vector<u8> in(256);
    for (u32 i = 0; i < 64; ++i) {
      std::memcpy(&in[2 * i], &before, 2);
      std::memcpy(&in[128 + 2 * i], &with, 2);
      if (i == 63) break;
    }
    const std::vector<u8> out = reduced(operation, in, false);
    for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[2 * i] | out[2 * i + 1] << 8, after) << operation;
  };
  check("add.noftz.f16", 0x3e00, 0x4080, 0x4380);
  check("add.noftz.bf16", 0x3fc0, 0x4010, 0x4070);
  check("min.f16", 0x3e00, 0xc080, 0xc080);
  check("max.bf16", 0x3fc0, 0xc010, 0x3fc0);
}

// --- mistakes

exec::LaunchResult launchBulk(const std::string& body, const LaunchSetup& setup = bulkSetup()) {
  std::vector<u32> out(64);
  return launch(kernelText(kBulkPrologue + body, setup.module), numbers(32), out, setup);
}

void expectReport(const std::string& body, exec::LaunchStatus status, const std::string& part) {
  const exec::LaunchResult result = launchBulk(body);
  EXPECT_EQ(result.status, status) << result.message;
  EXPECT_NE(result.message.find(part), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("cp.async.bulk"), std::string::npos) << "the instruction: " << result.message;
  EXPECT_NE(result.message.find("remedy"), std::string::npos) << result.message;
}

TEST(BulkMistakes, AreReported) {
  using S = exec::LaunchStatus;
  const std::string load = "@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
  expectReport(load + "[%s], [%in], 120, [%b];", S::misalignedAddress, "multiple of 16");
  expectReport(load + "[%s+8], [%in], 16, [%b];", S::misalignedAddress, "multiple of 16");
  expectReport(load + "[%s], [%in+8], 16, [%b];", S::misalignedAddress, "multiple of 16");
  expectReport(load + "[%s], [%in+112], 32, [%b];", S::illegalAddress, "out of bounds");
  expectReport(load + "[%s+2000], [%in], 128, [%b];", S::illegalAddress, "out of bounds");
  expectReport(load + "[%s], [%in], 16, [%s+64];", S::illegalInstruction, "no mbarrier object");
  expectReport("@%first cp.async.bulk.global.shared::cta.bulk_group [%out+240], [%s], 32;", S::illegalAddress, "out of bounds");
  expectReport("@%first cp.async.bulk.global.shared::cta.bulk_group [%out], [%s+4096], 32;", S::illegalAddress, "out of bounds");
}

TEST(BulkMistakes, BytesThatNeverComeAreAHang) {
  const exec::LaunchResult result = launchBulk(
      "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 256;\n"
      "@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 128, [%b];\n" +
      std::string(kAwaitPhase));
  EXPECT_EQ(result.status, exec::LaunchStatus::hang);
  EXPECT_NE(result.message.find("mbarrier.try_wait"), std::string::npos) << result.message;
}

// Threads write what a bulk copy reads: without a fence between the proxies it may find what was there before.
TEST(BulkMistakes, AMissingProxyFenceIsSeenWhereRacesAre) {
  for (const bool fenced : {false, true}) {
    LaunchSetup setup = bulkSetup();
    setup.races = true;
    const exec::LaunchResult result =
        launchBulk(kWriteTile + (fenced ? kFenced : "bar.sync 0;\n") +
                       "@%first cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128;\n@%first cp.async.bulk.commit_group;\n"
                       "@%first cp.async.bulk.wait_group 0;",
                   setup);
    ASSERT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
    ASSERT_EQ(result.warnings.size(), fenced ? 0u : 1u);
    if (!fenced) EXPECT_NE(result.warnings.front().find("fence.proxy.async"), std::string::npos) << result.warnings.front();
  }
}

TEST(BulkMistakes, ADestinationThatIsReadTooEarlyIsARace) {
  for (const bool waits : {false, true}) {
    LaunchSetup setup = bulkSetup();
    setup.races = true;
    const exec::LaunchResult result = launchBulk("mov.b32 %v0, 0;\n" + std::string(kLoad) + (waits ? "" : "ld.shared.b32 %v0, [%own];\n") +
                                                     kAwaitPhase + "ld.shared.b32 %v1, [%own];\nst.global.v2.b32 [%to], {%v0, %v1};",
                                                 setup);
    EXPECT_EQ(result.status, waits ? exec::LaunchStatus::completed : exec::LaunchStatus::race) << result.message;
  }
}

}  // namespace
}  // namespace warpwright::tensor
