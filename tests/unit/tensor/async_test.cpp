// cp.async and mbarrier (PTX ISA, sections of those names).
#include "exec/mbarrier.hpp"
#include "kernel.hpp"

namespace warpwright::tensor {
namespace {

const LaunchSetup kWithTile = [] {
  LaunchSetup setup;
  setup.module = ".shared .align 16 .b8 tile[1024];\n.shared .align 8 .b64 done;";
  return setup;
}();

// Every thread copies 4 words of `in` to its 16 bytes of the tile; %s and %from are their addresses.
const std::string kAddresses =
    ".reg .b32 %s, %v<8>;\n.reg .b64 %from, %to, %state;\n.reg .pred %p;\nmov.u32 %s, tile;\nmad.lo.u32 %s, %tid, 16, %s;\n"
    "mul.wide.u32 %from, %tid, 16;\nadd.u64 %to, %from, %out;\nadd.u64 %from, %from, %in;\n";

std::vector<u32> counting(u32 count) {
  std::vector<u32> values(count);
  for (u32 i = 0; i < count; ++i) values[i] = i + 1;
  return values;
}

TEST(CopyAsync, IsInvisibleBeforeTheWait) {
  const std::string body = kAddresses +
                           "cp.async.cg.shared.global [%s], [%from], 16;\nld.shared.b32 %v0, [%s];\ncp.async.commit_group;\n"
                           "ld.shared.b32 %v1, [%s];\ncp.async.wait_group 0;\nld.shared.b32 %v2, [%s];\nld.shared.b32 %v3, [%s+12];\n"
                           "st.global.v4.b32 [%to], {%v0, %v1, %v2, %v3};";
  const std::vector<u32> out = run<u32>(body, counting(128), 128, kWithTile);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(std::vector<u32>(&out[4 * t], &out[4 * t] + 4), (std::vector<u32>{0, 0, 4 * t + 1, 4 * t + 4}));
}

TEST(CopyAsync, WaitGroupLeavesTheNewestGroups) {
  const std::string body = kAddresses +
                           "cp.async.ca.shared.global [%s], [%from], 4;\ncp.async.commit_group;\n"
                           "cp.async.ca.shared.global [%s+4], [%from+4], 4;\ncp.async.commit_group;\n"
                           "cp.async.ca.shared.global [%s+8], [%from+8], 4;\ncp.async.wait_group 1;\n"
                           "ld.shared.b32 %v0, [%s];\nld.shared.b32 %v1, [%s+4];\ncp.async.wait_all;\n"
                           "ld.shared.b32 %v2, [%s+4];\nld.shared.b32 %v3, [%s+8];\nst.global.v4.b32 [%to], {%v0, %v1, %v2, %v3};";
  const std::vector<u32> out = run<u32>(body, counting(128), 128, kWithTile);
  for (u32 t = 0; t < 32; ++t)
    EXPECT_EQ(std::vector<u32>(&out[4 * t], &out[4 * t] + 4), (std::vector<u32>{4 * t + 1, 0, 4 * t + 2, 4 * t + 3}));
}

TEST(CopyAsync, FillsWithZerosBeyondTheSourceSize) {
  const std::string body = kAddresses +
                           "mov.u32 %v0, -1;\nst.shared.v4.b32 [%s], {%v0, %v0, %v0, %v0};\n"
                           "cp.async.ca.shared.global.L2::128B [%s], [%from], 8, 4;\nsetp.ge.u32 %p, %tid, 16;\n"
                           "cp.async.ca.shared.global [%s+8], [%from+8], 4, %p;\ncp.async.wait_all;\n"
                           "ld.shared.v4.b32 {%v0, %v1, %v2, %v3}, [%s];\nst.global.v4.b32 [%to], {%v0, %v1, %v2, %v3};";
  const std::vector<u32> out = run<u32>(body, counting(128), 128, kWithTile);
  for (u32 t = 0; t < 32; ++t)
    EXPECT_EQ(std::vector<u32>(&out[4 * t], &out[4 * t] + 4), (std::vector<u32>{4 * t + 1, 0, t < 16 ? 4 * t + 3 : 0, ~0u}));
}

TEST(CopyAsync, ReportsASourceOutOfBounds) {
  std::vector<u32> out(128);
  const std::string body = kAddresses + "cp.async.ca.shared.global [%s], [%from+100000], 4;";
  const exec::LaunchResult result = launch(kernelText(body, kWithTile.module), counting(128), out, kWithTile);
  EXPECT_EQ(result.status, exec::LaunchStatus::illegalAddress) << result.message;
}

TEST(CopyAsync, ArrivesAtAnMbarrier) {
  const std::string body =
      kAddresses +
      ".reg .b32 %b;\nmov.u32 %b, done;\nsetp.ne.u32 %p, %tid, 0;\n@!%p mbarrier.init.shared.b64 [%b], 64;\nbar.sync 0;\n"
      "cp.async.ca.shared.global [%s], [%from], 4;\ncp.async.mbarrier.arrive.noinc.shared.b64 [%b];\n"
      "ld.shared.b32 %v0, [%s];\nloop:\nmbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra loop;\n"
      "xor.b32 %v2, %tid, 63;\nmov.u32 %v3, tile;\nmad.lo.u32 %v3, %v2, 16, %v3;\nld.shared.b32 %v1, [%v3];\n"
      "st.global.v2.b32 [%to], {%v0, %v1};";
  LaunchSetup setup = kWithTile;
  setup.threads = 64;
  setup.races = true;
  const std::vector<u32> out = run<u32>(body, counting(256), 256, setup);
  for (u32 t = 0; t < 64; ++t) {
    EXPECT_EQ(out[4 * t], 0u);
    EXPECT_EQ(out[4 * t + 1], 4 * (t ^ 63) + 1);
  }
}

// Producer and consumer in one warp: half of it waits for what the other half does.
TEST(Mbarrier, WaitingLanesLetOthersArrive) {
  const std::string body =
      kAddresses +
      ".reg .b32 %b;\nmov.u32 %b, done;\nsetp.ne.u32 %p, %tid, 0;\n@!%p mbarrier.init.shared.b64 [%b], 16;\nbar.sync 0;\n"
      "setp.lt.u32 %p, %tid, 16;\n@%p bra wait;\nadd.u32 %v0, %tid, 100;\nst.shared.b32 [%s], %v0;\n"
      "mbarrier.arrive.shared.b64 _, [%b];\nbra end;\nwait:\nmbarrier.test_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra wait;\n"
      "ld.shared.b32 %v0, [%s+256];\nend:\nst.global.b32 [%to], %v0;";
  const std::vector<u32> out = run<u32>(body, counting(128), 128, kWithTile);
  for (u32 t = 0; t < 16; ++t) EXPECT_EQ(out[4 * t], t + 116);
}

TEST(Mbarrier, StatesTransactionsAndDroppedArrivals) {
  const std::string body =
      ".reg .b32 %b, %n, %r<8>;\n.reg .b64 %s<4>;\n.reg .pred %p, %q;\nmov.u32 %b, done;\nmbarrier.init.shared.b64 [%b], 3;\n"
      "mbarrier.arrive.shared.b64 %s0, [%b];\nmbarrier.pending_count.b64 %r0, %s0;\n"
      "mbarrier.arrive_drop.shared.b64 %s1, [%b];\nmbarrier.pending_count.b64 %r1, %s1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %s2, [%b], 64;\nmbarrier.test_wait.shared.b64 %p, [%b], %s0;\nselp.u32 %r2, 1, 0, %p;\n"
      "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b], 64;\n"
      "mbarrier.test_wait.shared.b64 %p, [%b], %s0;\nselp.u32 %r3, 1, 0, %p;\nmbarrier.arrive.shared.b64 %s3, [%b];\n"
      "mbarrier.pending_count.b64 %r4, %s3;\nmbarrier.test_wait.parity.shared.b64 %p, [%b], 1;\nselp.u32 %r5, 1, 0, %p;\n"
      "st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};\nst.global.v2.b32 [%out+16], {%r4, %r5};";
  LaunchSetup setup = kWithTile;
  setup.threads = 1;
  EXPECT_EQ(run<u32>(body, counting(4), 6, setup), (std::vector<u32>{3, 2, 0, 1, 2, 0}));
}

TEST(Mbarrier, AWaitThatCannotEndIsReportedAsAHang) {
  const std::string body =
      ".reg .b32 %b;\n.reg .pred %p;\nmov.u32 %b, done;\nsetp.ne.u32 %p, %tid, 0;\n@!%p mbarrier.init.shared.b64 [%b], 33;\nbar.sync 0;\n"
      "mbarrier.arrive.shared.b64 _, [%b];\nloop:\nmbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra loop;";
  std::vector<u32> out(1);
  const exec::LaunchResult result = launch(kernelText(body, kWithTile.module), counting(1), out, kWithTile);
  EXPECT_EQ(result.status, exec::LaunchStatus::hang);
  EXPECT_NE(result.message.find("mbarrier.try_wait"), std::string::npos) << result.message;
}

TEST(Mbarrier, AnObjectThatWasNeverInitialisedIsReported) {
  std::vector<u32> out(1);
  const exec::LaunchResult result = launch(
      kernelText(".reg .b32 %b;\nmov.u32 %b, done;\nmbarrier.arrive.shared.b64 _, [%b];", kWithTile.module), counting(1), out, kWithTile);
  EXPECT_EQ(result.status, exec::LaunchStatus::illegalInstruction);
  EXPECT_NE(result.message.find("no mbarrier object"), std::string::npos) << result.message;
}

TEST(MbarrierObject, RefusesWhatDoesNotFit) {
  exec::Mbarrier barrier = exec::Mbarrier::initialised(2);
  EXPECT_FALSE(barrier.arrive(3));
  EXPECT_TRUE(barrier.addTransactions(-5));
  EXPECT_EQ(barrier.transactions(), -5);
  EXPECT_TRUE(barrier.arrive(2));
  EXPECT_FALSE(barrier.parity());
  EXPECT_TRUE(barrier.addTransactions(5));
  EXPECT_FALSE(barrier.addTransactions(1 << 20));
}

}  // namespace
}  // namespace warpwright::tensor
