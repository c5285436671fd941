// Random accesses to affine vector caches of full size, their first-level cache and memory, against a flat memory.
#include <gtest/gtest.h>

#include <random>

#include "sm/address_spaces.hpp"
#include "unit/mechanisms/avc/memory_model.hpp"

namespace warpwright::mechanisms::avc::test {
namespace {

struct Case {
  const char* name;
  Geometry geometry;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class Coherence : public ::testing::TestWithParam<Case> {};

// Vectors as programs write them: uniform, affine, and with a lane that does not fit.
Words someWords(std::mt19937& random) {
  Words words;
  const u32 base = random() % 4 * 64, shift = random() % 4;
  const bool uniform = random() % 3 == 0, twoRows = random() % 4 == 0;
  for (u32 lane = 0; lane < kWordsPerVector; ++lane) words[lane] = uniform ? base : base + (lane << shift);
  for (u32 lane = kWordsPerVector / 2; twoRows && lane < kWordsPerVector; ++lane) words[lane] += 0x400;
  if (random() % 3 == 0) words[random() % kWordsPerVector] = random();
  return words;
}

WordMask someMask(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return ~WordMask{0};
    case 1:
      return 1u << random() % kWordsPerVector;
    case 2:
      return static_cast<WordMask>(lowBits(1 + random() % 31) << random() % 16);
    default:
      return static_cast<WordMask>(random()) | 1;
  }
}

TEST_P(Coherence, EveryReadGivesWhatWasWrittenLast) {
  std::mt19937 random(7);
  MemoryModel model(GetParam().geometry, kWordsPerVector, 8, 24);
  std::map<GlobalAddress, Words> flat;
  // Few lines, far apart: they meet in their sets.
  const auto someAddress = [&] { return sm::kLocalBase + u64{random() % 24} * 0x20000 + random() % 5 * kVectorBytes; };
  constexpr u32 kSteps = 60'000, kHalf = kSteps / 2;
  std::size_t mostBelow = 0;
  for (u32 step = 0; step < kSteps; ++step) {
    const GlobalAddress address = someAddress();
    const WordMask mask = someMask(random);
    const u32 action = random() % 100;
    if (action < 45) {
      const Words got = model.read(address, mask);
      for (u32 word = 0; word < kWordsPerVector; ++word) {
        if ((mask >> word & 1) == 0) continue;
        ASSERT_EQ(got[word], flat[address][word]) << "step " << step << ", word " << word;
      }
    } else if (action < 90) {
      const Words words = someWords(random);
      model.write(address, mask, words);
      for (u32 word = 0; word < kWordsPerVector; ++word) {
        if (mask >> word & 1) flat[address][word] = words[word];
      }
    } else if (action < 93) {
      const Words words = someWords(random);
      model.writePartly(address, mask, words);
      for (u32 word = 0; word < kWordsPerVector; ++word) {
        if (mask >> word & 1) flat[address][word] = (flat[address][word] & 0xffff'0000) | (words[word] & 0xffff);
      }
    } else if (action < 95) {
      model.evictVector(address);
    } else if (action < 97) {
      model.evictLine(address);
    } else {
      model.evictLevel1(address);
    }
    mostBelow = std::max(mostBelow, model.below.size());
    if (step == kHalf) model.avc.dropClean();  // as before a launch
  }
  for (const auto& [address, words] : flat) {
    for (u32 word = 0; word < kWordsPerVector; ++word) ASSERT_EQ(model.view(address, word), words[word]);
  }
  EXPECT_GT(model.avc.stats().writeConflicts, 0u);
  EXPECT_GT(model.avc.stats().fillConflicts, 0u);
  EXPECT_GT(model.avc.stats().lineEvictions, 0u);
  EXPECT_EQ(mostBelow > 10, GetParam().geometry.compressedBelow);
}

INSTANTIATE_TEST_SUITE_P(Configurations, Coherence,
                         ::testing::Values(Case{"8K, direct-mapped", {.bytes = 8192, .ways = 1}},
                                           Case{"16K, 2-way", {.bytes = 16384, .ways = 2}}, Case{"24K, 3-way", {.bytes = 24576, .ways = 3}},
                                           Case{"16K, 16-way", {.bytes = 16384, .ways = 16}},
                                           Case{"skewed", {.bytes = 2048, .ways = 2, .skewed = true}},
                                           Case{"victim cache", {.bytes = 8192, .ways = 1, .victimLines = 4}},
                                           Case{"encoded below", {.bytes = 2048, .ways = 1, .compressedBelow = true}},
                                           Case{"encoded below, victim cache",
                                                {.bytes = 1024, .ways = 2, .vectorsPerLine = 4, .victimLines = 4, .compressedBelow = true}},
                                           Case{"vectors of 16 words", {.bytes = 4096, .ways = 1, .subVectors = 2}},
                                           Case{"vectors of 8 words, encoded below",
                                                {.bytes = 4096, .ways = 1, .subVectors = 4, .victimLines = 1, .compressedBelow = true}},
                                           Case{"lines of 4 vectors", {.bytes = 1024, .ways = 2, .vectorsPerLine = 4}}),
                         [](const auto& each) { return std::to_string(each.index); });

}  // namespace
}  // namespace warpwright::mechanisms::avc::test
