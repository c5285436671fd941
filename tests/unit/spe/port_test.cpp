// What the control signals of table 4.1 make of an access, and who uses which.
#include "spe/port.hpp"

#include <gtest/gtest.h>

#include "spe/spu.hpp"

namespace warpwright::spe {
namespace {

std::vector<u32> wordsThrough(Port port) {
  const PortAccess access = accessOf(port, 5, 12);
  return {access.words().begin(), access.words().end()};
}

u64 countOf(const Statistics& statistics, Port port) { return statistics.byPort[static_cast<std::size_t>(port)]; }

TEST(Port, SignalsChooseStrideAndLayout) {
  EXPECT_EQ(wordsThrough(Port::normal), (std::vector<u32>{5, 6, 7, 8}));
  EXPECT_EQ(wordsThrough(Port::wide), (std::vector<u32>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(wordsThrough(Port::unitStride), (std::vector<u32>{5, 6, 7, 8}));
  EXPECT_EQ(wordsThrough(Port::strided), (std::vector<u32>{5, 17, 29, 41}));
  EXPECT_EQ(accessOf(Port::normal, 5, 12).family, std::nullopt);
  EXPECT_EQ(accessOf(Port::unitStride, 5, 12).family, Family(2));
  EXPECT_EQ(accessOf(Port::strided, 5, 12).family, Family(2));
  EXPECT_FALSE(accessOf(Port::wide, 5, 12).isTranslated);
}

// Section 4.4.1: the wide port needs no address logic, as a line is a row of all modules in every layout. Only the places in it differ.
TEST(Port, TheWidePortTakesOneCycleInEveryLayout) {
  const LocalStore store;
  for (u32 family = 0; family <= LocalStore::kFamilies; ++family)
    for (u32 line = 0; line < 1024; ++line) {
      const PortAccess access = accessOf(Port::wide, line * LocalStore::kLineWords, 1);
      const Family layout = family == LocalStore::kFamilies ? Family() : Family(family);
      EXPECT_EQ(store.cyclesFor(access.words(), layout), 1u) << family << ' ' << line;
    }
}

TEST(Port, AccessesAreCountedByWhatTheyComeThrough) {
  std::vector<u32> memory(1024);
  Spu spu(machineOf("sams"));
  spu.attach(memory);
  spu.mfcGet(0, 0, 512, 0);
  spu.mfcWait(1);
  spu.lqa(0);
  spu.setstride(16);
  spu.stqwsa(spu.lqwsfa(64), 64);
  spu.stwwsa(spu.lqwsa(64), 64);
  spu.finish();
  const Statistics statistics = spu.statistics();
  EXPECT_EQ(countOf(statistics, Port::normal), 1u);
  EXPECT_EQ(countOf(statistics, Port::unitStride), 1u);
  EXPECT_EQ(countOf(statistics, Port::strided), 3u);
  EXPECT_EQ(countOf(statistics, Port::wide),
            4u + 3u);  // 512 bytes of 128 each; 17 instructions in lines of 64 bytes, and what is fetched ahead
  EXPECT_TRUE(statistics.isConserved());
}

}  // namespace
}  // namespace warpwright::spe
