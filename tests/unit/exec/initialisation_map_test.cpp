// Against a list of booleans, and what it costs.
#include "exec/initialisation_map.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <vector>

#include "exec/memory.hpp"

namespace warpwright::exec {
namespace {

TEST(InitialisationMap, AgreesWithAListOfBooleans) {
  constexpr u64 kBytes = 5 * 4096 + 17;
  InitialisationMap map(kBytes);
  std::vector<bool> expected(kBytes);
  std::mt19937_64 random(1);
  for (int step = 0; step < 3000; ++step) {
    // Page by page, within one, and across several.
    const u64 grain = step % 3 == 0 ? 4096 : 1;
    const u64 offset = random() % kBytes / grain * grain;
    const u64 most = std::min<u64>(kBytes - offset, step % 5 == 0 ? kBytes : 300);
    const u64 bytes = std::max<u64>(1, random() % most / grain * grain);
    const bool marks = random() % 2 == 0;
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(offset), end = begin + static_cast<std::ptrdiff_t>(bytes);
    ASSERT_EQ(map.anyWritten(offset, bytes), std::any_of(begin, end, [](bool b) { return b; })) << offset << "+" << bytes;
    ASSERT_EQ(map.allWritten(offset, bytes), std::all_of(begin, end, [](bool b) { return b; })) << offset << "+" << bytes;
    if (marks) map.mark(offset, bytes);
    if (!marks) map.forget(offset, bytes);
    std::fill(begin, end, marks);
  }
}

u64 residentBytes() {
  std::ifstream file("/proc/self/statm");
  u64 total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<u64>(sysconf(_SC_PAGESIZE));
}

TEST(InitialisationMap, AHugeAllocationTakesAlmostNothing) {
  constexpr u64 kGiB = u64{1} << 30, kMiB = u64{1} << 20;
  GlobalMemory memory({64, 64 * kGiB, true});
  const u64 before = residentBytes();
  const auto huge = memory.allocate(60 * kGiB, AllocationKind::device);
  ASSERT_TRUE(huge);
  EXPECT_FALSE(memory.isInitialised(*huge + 30 * kGiB, 4));
  memory.markInitialised(*huge, 60 * kGiB);
  EXPECT_TRUE(memory.isInitialised(*huge, 60 * kGiB));
  memory.markInitialised(*huge + 4096, 1);
  EXPECT_LT(residentBytes() - before, 64 * kMiB);
}

}  // namespace
}  // namespace warpwright::exec
