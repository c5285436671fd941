// Hardware prefetchers of the first-level cache, on the timed machine.
#include <gtest/gtest.h>

#include "assist_programs.hpp"
#include "mechanisms/many_thread_prefetcher/settings.hpp"
#include "mechanisms/many_thread_prefetcher/statistics.hpp"
#include "mechanisms/stride_prefetcher/settings.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::assist_tests {
namespace {

using mechanisms::PrefetchCounts;
namespace many_thread_prefetcher = mechanisms::many_thread_prefetcher;
namespace stride_prefetcher = mechanisms::stride_prefetcher;

constexpr u32 kSteps = 32;

// One warp of one block loads kSteps lines one behind the other, each when it has the one before.
const std::string kStream = kernelOf("stream", R"(
  mov.u32 %r5, 0;
  mov.u32 %r7, 0;
  mov.u64 %d2, %d1;
round:
  .pragma "nounroll";
  ld.global.u32 %r6, [%d2];
  add.u32 %r7, %r7, %r6;
  div.u32 %r8, %r7, 3;
  div.u32 %r9, %r8, %r7;
  add.u32 %r7, %r9, %r7;
  and.b32 %r10, %r7, 0;
  cvt.u64.u32 %d3, %r10;
  add.u64 %d2, %d2, %d3;
  add.u64 %d2, %d2, 128;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p0, %r5, 32;
  @%p0 bra round;
  st.global.u32 [%d1], %r7;
  ret;
)");

Subject stream(u32 threads = 32) {
  return {kHead + kStream, "stream", 1, threads, kWords, [](const u32* array) { return std::vector<u64>{reinterpret_cast<u64>(array)}; }};
}

template <class Settings>
Machine with(const char* mechanism, const std::function<void(Settings&)>& change = {}) {
  Machine machine = fermi();
  machine.mechanisms.add(config::mechanismKind(mechanism));
  if (change) change(*std::any_cast<Settings>(machine.mechanisms.find(mechanism)));
  return machine;
}

template <class S>
S counted(const Ran& ran, const char* name) {
  return dynamic_cast<const stats::Structure<S>&>(*ran.result.stats.mechanisms.find(name)).value();
}
const mem::CacheStats& cacheOf(const Ran& ran) { return ran.result.stats.l1d; }

TEST(StridePrefetcher, BringsWhatTheWarpLoadsNext) {
  const Ran plain = run(fermi(), stream()), ran = run(with<stride_prefetcher::Settings>("stride-prefetcher"), stream());
  const auto counts = counted<PrefetchCounts>(ran, "stride_prefetcher");
  EXPECT_EQ(counts.loads, kSteps);
  EXPECT_EQ(counts.predicted, kSteps - 3) << "the third stride is the second that was right";
  EXPECT_EQ(counts.sent, kSteps - 3);
  EXPECT_EQ(cacheOf(ran).prefetched.lines, kSteps - 3);
  EXPECT_EQ(cacheOf(ran).prefetched.used + cacheOf(ran).prefetched.late, kSteps - 4) << "nobody loads the last";
  EXPECT_EQ(cacheOf(plain).prefetched, mem::PrefetchStats{});
  EXPECT_LT(ran.result.cycles, plain.result.cycles);
  EXPECT_EQ(ran.memory, plain.memory);
}

TEST(StridePrefetcher, OfADistanceSkipsWhatComesBefore) {
  const auto further = [](stride_prefetcher::Settings& settings) { settings.distance = 4; };
  const Ran ran = run(with<stride_prefetcher::Settings>("stride-prefetcher", further), stream());
  EXPECT_EQ(cacheOf(ran).prefetched.lines, kSteps - 3);
  EXPECT_EQ(cacheOf(ran).prefetched.used + cacheOf(ran).prefetched.late, kSteps - 3 - 4);
}

TEST(StridePrefetcher, OfADegreeBringsSeveral) {
  const auto more = [](stride_prefetcher::Settings& settings) { settings.degree = 3; };
  const Ran ran = run(with<stride_prefetcher::Settings>("stride-prefetcher", more), stream());
  const auto counts = counted<PrefetchCounts>(ran, "stride_prefetcher");
  EXPECT_EQ(counts.lines, 3 * (kSteps - 3));
  EXPECT_EQ(counts.sent, kSteps - 3 + 2) << "each line once";
}

TEST(StridePrefetcher, OfNoDegreeIsTheBaseline) {
  const auto none = [](stride_prefetcher::Settings& settings) { settings.degree = 0; };
  EXPECT_EQ(run(with<stride_prefetcher::Settings>("stride-prefetcher", none), stream()).counters, run(fermi(), stream()).counters);
}

TEST(ManyThreadPrefetcher, OfNoDegreeIsTheBaseline) {
  const auto none = [](many_thread_prefetcher::Settings& settings) { settings.degree = 0; };
  EXPECT_EQ(run(with<many_thread_prefetcher::Settings>("many-thread-prefetcher", none), stream()).counters,
            run(fermi(), stream()).counters);
}

TEST(ManyThreadPrefetcher, BringsWhatTheWarpLoadsNext) {
  const auto all = [](many_thread_prefetcher::Settings& settings) { settings.throttle = false; };
  const Ran plain = run(fermi(), stream()), ran = run(with<many_thread_prefetcher::Settings>("many-thread-prefetcher", all), stream());
  const auto counts = counted<many_thread_prefetcher::Statistics>(ran, "many_thread_prefetcher");
  EXPECT_EQ(counts.perWarp, kSteps - 2) << "the second stride is right";
  EXPECT_EQ(counts.prefetches.sent, kSteps - 2);
  EXPECT_EQ(cacheOf(ran).prefetched.used + cacheOf(ran).prefetched.late, kSteps - 3);
  EXPECT_LT(ran.result.cycles, plain.result.cycles);
}

// Two of five predictions are dropped before anything is known.
TEST(ManyThreadPrefetcher, IsThrottled) {
  const auto counts = counted<many_thread_prefetcher::Statistics>(
      run(with<many_thread_prefetcher::Settings>("many-thread-prefetcher"), stream()), "many_thread_prefetcher");
  EXPECT_EQ(counts.throttled, (kSteps - 2) * 2 / 5);
  EXPECT_EQ(counts.throttleDegree.value, 2u);
}

// Eight warps whose loads are 128 bytes apart: what is prefetched is the next warp's.
TEST(ManyThreadPrefetcher, BringsWhatOtherWarpsLoad) {
  const auto all = [](many_thread_prefetcher::Settings& settings) { settings.throttle = false; };
  const auto counts = counted<many_thread_prefetcher::Statistics>(
      run(with<many_thread_prefetcher::Settings>("many-thread-prefetcher", all), stream(256)), "many_thread_prefetcher");
  EXPECT_GT(counts.interWarp, 0u);
  EXPECT_GT(counts.promotions, 0u);
  EXPECT_GT(counts.global, 0u);
}

TEST(StridePrefetcher, NeedsACache) {
  Machine machine = fermi();
  machine.l1d.bytes = 0;
  EXPECT_NE(stride_prefetcher::problem(std::any(stride_prefetcher::Settings{}), machine), std::nullopt);
  machine = fermi();
  machine.sm.cacheGlobalLoads = false;
  EXPECT_NE(stride_prefetcher::problem(std::any(stride_prefetcher::Settings{}), machine), std::nullopt);
}

}  // namespace
}  // namespace warpwright::assist_tests
