// Bulk copies on timed machines: the same results as functionally, at the time when the copy engine has the bytes.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>

#include "compiler/compiler.hpp"
#include "isa/tensor_map.hpp"
#include "ptx/parser.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using testing::fermi;
using testing::TimedMachine;

// %s: a tile of 32 KiB; %b: an mbarrier object for one arrival; %first: thread 0; %tid; %clk: a clock that begins here.
std::string bulkKernel(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 1024 .b8 tile[32768];\n.shared .align 8 .b64 done;\n"
         ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n.reg .b64 %out, %in, %to, %from, %data;\n"
         ".reg .b32 %s, %own, %b, %tid, %block, %clk, %end, %v<8>;\n.reg .pred %p, %first;\n"
         "ld.param.u64 %out, [out];\nld.param.u64 %in, [in];\nmov.u32 %tid, %tid.x;\nmov.u32 %block, %ctaid.x;\nmov.u32 %s, tile;\n"
         "mad.lo.u32 %own, %tid, 4, %s;\nmov.u32 %b, done;\nsetp.eq.u32 %first, %tid, 0;\n"
         "@%first mbarrier.init.shared.b64 [%b], 1;\nbar.sync 0;\nmov.u32 %clk, %clock;\n" +
         body + "\nret;\n}\n";
}

std::string loadOf(u32 bytes) {
  const std::string count = std::to_string(bytes);
  return "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], " + count +
         ";\n@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], " + count +
         ", [%b];\nwait:\nmbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra wait;\n";
}
constexpr char kClockOut[] = "mov.u32 %end, %clock;\nsub.u32 %end, %end, %clk;\n@%first st.global.u32 [%out], %end;\n";

struct BulkOutcome {
  std::vector<u32> words;
  u64 cycles = 0;
};

// cluster: how many blocks to one; none: the kernel is not launched in clusters.
BulkOutcome runBulkTimed(const Machine& machine, const std::string& body, std::vector<u32> in, std::size_t outWords, u32 blocks = 1,
                         std::optional<u32> cluster = std::nullopt) {
  TimedMachine timed(machine);
  if (cluster) timed.cluster = Dim3{*cluster, 1, 1};
  u32* input = timed.array<u32>(in.size());
  std::copy(in.begin(), in.end(), input);
  u32* output = timed.array<u32>(outWords);
  const isa::Program program = compiler::compile(ptx::parse(bulkKernel(body), "test.ptx"));
  const machines::TimedResult result =
      timed.run(program, {blocks, 1, 1}, {64, 1, 1}, {reinterpret_cast<u64>(output), reinterpret_cast<u64>(input)});
  EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  return {std::vector<u32>(output, output + outWords), result.stats.cycles};
}

std::vector<u32> upFrom(u32 first, u32 count) {
  std::vector<u32> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// A wait sees the end of a phase when it polls: cycles between two polls at most.
constexpr u32 kPoll = 80;

// Memory that has everything 100 cycles later, so that the engine alone decides.
Machine perfect() {
  Machine machine = fermi();
  machine.sm.perfectLatency = 100;
  return machine;
}
u32 cyclesOfLoad(const Machine& machine, u32 bytes) {
  return runBulkTimed(machine, loadOf(bytes) + kClockOut, upFrom(1, 8192), 1).words[0];
}

TEST(BulkTiming, TheEngineAddsItsLatency) {
  Machine fast = perfect(), slow = perfect();
  fast.sm.bulkLatency = 20;
  slow.sm.bulkLatency = 220;
  const u32 difference = cyclesOfLoad(slow, 128) - cyclesOfLoad(fast, 128);
  EXPECT_NEAR(difference, 200, kPoll);
}

TEST(BulkTiming, BytesComeAtTheEnginesRate) {
  Machine machine = perfect();
  machine.sm.bulkBytesPerCycle = 32;
  machine.sm.bulkBytesInFlight = 1u << 20;
  const u32 difference = cyclesOfLoad(machine, 20'480) - cyclesOfLoad(machine, 4'096);
  EXPECT_NEAR(difference, 16'384 / 32, kPoll);
}

// As much is under way as the latency needs, or less: 1024 bytes a round trip of 100 cycles and some.
TEST(BulkTiming, BytesUnderWayBoundTheRate) {
  Machine machine = perfect();
  machine.sm.bulkBytesInFlight = 1024;
  const u32 difference = cyclesOfLoad(machine, 20'480) - cyclesOfLoad(machine, 4'096);
  EXPECT_GE(difference, 16u * 100 - kPoll);
  EXPECT_LE(difference, 16u * 140 + kPoll);
}

TEST(BulkTiming, ALoadIsThereWhenThePhaseIsComplete) {
  const std::string body =
      loadOf(256) + "ld.shared.b32 %v0, [%own];\nmul.wide.u32 %to, %tid, 4;\nadd.u64 %to, %to, %out;\nst.global.b32 [%to], %v0;";
  EXPECT_EQ(runBulkTimed(fermi(), body, upFrom(1, 64), 64).words, upFrom(1, 64));
}

// A store is complete a cycle after its source was read, as on an H100; what it reads a cycle is the machine's.
TEST(BulkTiming, StoresTakeAsLongAsTheirSourceIsRead) {
  const auto body = [](const std::string& wait) {
    return "add.u32 %v0, %tid, 7;\nst.shared.b32 [%own], %v0;\nfence.proxy.async;\nbar.sync 0;\nmov.u32 %clk, %clock;\n"
           "@%first cp.async.bulk.global.shared::cta.bulk_group [%out+128], [%s], 256;\n@%first cp.async.bulk.commit_group;\n@%first "
           "cp.async.bulk.wait_group" +
           wait + " 0;\n" + kClockOut;
  };
  const BulkOutcome read = runBulkTimed(fermi(), body(".read"), {0}, 128), written = runBulkTimed(fermi(), body(""), {0}, 128);
  for (const BulkOutcome& outcome : {read, written})
    EXPECT_EQ(std::vector<u32>(&outcome.words[32], &outcome.words[32] + 64), upFrom(7, 64));
  EXPECT_GE(written.words[0], read.words[0]);
  EXPECT_LE(written.words[0], read.words[0] + 2);
  Machine slow = fermi();
  slow.sm.bulkReadBytes = 4;
  const u32 difference = runBulkTimed(slow, body(".read"), {0}, 128).words[0] - read.words[0];
  EXPECT_NEAR(difference, 256 / 4 - 256 / fermi().sm.bulkReadBytes, 2);
}

// Each block of a cluster sends its tile to the next, on another SM, and is told by its own object when that of the other has come.
TEST(BulkTiming, CopiesGoToOtherSms) {
  const std::string body =
      "add.u32 %v0, %tid, %block;\nst.shared.b32 [%own], %v0;\nfence.proxy.async;\n"
      "xor.b32 %v1, %block, 1;\nadd.u32 %v2, %s, 1024;\nmapa.shared::cluster.u32 %v2, %v2, %v1;\nmapa.shared::cluster.u32 %v3, %b, %v1;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\nmov.u32 %clk, %clock;\n"
      "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 256;\n"
      "@%first cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%v2], [%s], 256, [%v3];\n"
      "wait:\nmbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra wait;\nmov.u32 %end, %clock;\nsub.u32 %end, %end, %clk;\n"
      "mad.lo.u32 %v4, %block, 512, %s;\nsub.u32 %v4, %v4, %s;\ncvt.u64.u32 %to, %v4;\nadd.u64 %to, %to, %out;\n"
      "@%first st.global.b32 [%to], %end;\nmul.wide.u32 %from, %tid, 4;\nadd.u64 %to, %to, %from;\nld.shared.b32 %v5, [%own+1024];\n"
      "st.global.b32 [%to+256], %v5;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;";
  Machine machine = fermi(2);
  machine.clusterMultiprocessors = 2;
  const auto runOn = [&] { return runBulkTimed(machine, body, {0}, 256, 2, 2).words; };
  const std::vector<u32> words = runOn();
  for (u32 block = 0; block < 2; ++block) {
    EXPECT_EQ(std::vector<u32>(&words[block * 128 + 64], &words[block * 128 + 64] + 64), upFrom(1 - block, 64)) << "from the other block";
    EXPECT_GE(words[block * 128], machine.sm.bulkReadLatency + machine.sm.remoteSharedLatency / 2);
  }
  machine.sm.remoteSharedLatency += 200;
  EXPECT_NEAR(runOn()[0] - words[0], 100, kPoll);
}

// Blocks on several SMs add to the same words.
TEST(BulkTiming, ReductionsOfSeveralSmsAddUp) {
  const std::string body =
      "add.u32 %v0, %tid, %block;\nst.shared.b32 [%own], %v0;\nfence.proxy.async;\nbar.sync 0;\n"
      "@%first cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%s], 256;\n@%first cp.async.bulk.commit_group;\n"
      "@%first cp.async.bulk.wait_group 0;";
  constexpr u32 kBlocks = 24;
  const std::vector<u32> words = runBulkTimed(fermi(4), body, {0}, 64, kBlocks).words;
  for (u32 t = 0; t < 64; ++t) EXPECT_EQ(words[t], kBlocks * t + kBlocks * (kBlocks - 1) / 2);
}

// Rows of 64 bytes that lie 4 KiB apart: each is a request of its own.
TEST(BulkTiming, ATileAsksForEachOfItsRows) {
  isa::TensorMap map;
  map.rank = 1;
  map.element = isa::TensorMap::Element::u32;
  map.globalDim = {1024, 16};
  map.boxDim = {16, 16};
  map.elementStride = {1, 1};
  map.globalStride = {4096};
  std::vector<u32> in = upFrom(0, 32 + 1024 * 16);
  std::memcpy(in.data(), &map, sizeof map);
  const std::string body =
      "add.u64 %data, %in, 128;\n@%first tensormap.replace.tile.global_address.global.b1024.b64 [%in], %data;\n"
      "fence.proxy.tensormap::generic.release.gpu;\nbar.sync 0;\nfence.proxy.tensormap::generic.acquire.gpu [%in], 128;\n"
      "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 1024;\n@%first cp.async.bulk.tensor.2d.shared::cluster.global.tile."
      "mbarrier::complete_tx::bytes [%s], [%in, {32, 0}], [%b];\nwait:\nmbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n"
      "@!%p bra wait;\nld.shared.b32 %v0, [%own];\nmul.wide.u32 %to, %tid, 4;\nadd.u64 %to, %to, %out;\nst.global.b32 [%to], %v0;";
  const std::vector<u32> words = runBulkTimed(fermi(), body, in, 64).words;
  for (u32 t = 0; t < 64; ++t) EXPECT_EQ(words[t], 32 + t / 16 * 1024 + 32 + t % 16);
}

}  // namespace
}  // namespace warpwright
