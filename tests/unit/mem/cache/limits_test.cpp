// Every cache that a machine file may describe can be built, and answers: drawn at random, at the limits of each field too.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cache_driver.hpp"
#include "config/rules.hpp"
#include "property/random.hpp"

namespace warpwright::mem {
namespace {

using warpwright::testing::Random;

u32 oneOf(Random& random, std::initializer_list<u32> values) { return values.begin()[random.below(static_cast<u32>(values.size()))]; }

// Valid or not.
config::Cache randomCache(Random& random) {
  config::Cache cache;
  cache.lineBytes = oneOf(random, {16, 32, 64, 96, 128, 256, 512});
  cache.sectorBytes = oneOf(random, {16, 32, 64, 128, 256});
  cache.ways = oneOf(random, {0, 1, 2, 3, 4, 6, 16, 63, 64, 65});
  cache.bytes = u64{cache.lineBytes} * cache.ways * oneOf(random, {0, 1, 2, 3, 4, 48, 64}) + oneOf(random, {0, 0, 0, 0, 32});
  cache.replacement = random.chance(50) ? "lru" : "fifo";
  cache.setHash = random.chance(50) ? "none" : "xor_fold";
  cache.globalWrites = static_cast<config::WritePolicy>(random.below(6));
  cache.localWrites = static_cast<config::WritePolicy>(random.below(6));
  cache.hitLatency = oneOf(random, {0, 1, 2, 30, 10'000});
  cache.missLatency = oneOf(random, {1, 2, 30, 10'000});
  cache.ports = oneOf(random, {1, 2, 64, 65});
  cache.banks = oneOf(random, {1, 2, 3, 64, 128});
  cache.mshrs = oneOf(random, {0, 1, 2, 32, 64, 65, 1024, 65'536, 65'537});
  cache.mergesPerMshr = oneOf(random, {0, 1, 2, 8, 64, 1024});
  cache.inputQueue = oneOf(random, {0, 1, 8, 65'536});
  cache.missQueue = oneOf(random, {1, 2, 3, 8, 65'536});
  cache.fillBytesPerTick = oneOf(random, {0, 1, 32, 4096});
  return cache;
}

bool isAccepted(const config::Cache& cache) {
  try {
    config::validate(cache, "l1d");
  } catch (const Error&) {
    return false;
  }
  return true;
}

// A load of a line is answered, with what it asks for fetched in as many requests as the cache likes.
void expectAnswers(const config::Cache& config) {
  CacheDriver driver(config);
  Request request = load(u64{1} << 30, (1u << config.lineBytes / kSectorBytes) - 1, 7);
  request.lineBytes = config.lineBytes;
  ASSERT_NO_FATAL_FAILURE(driver.access(request));
  std::vector<Request> below;
  for (u32 i = 0; i < 100'000 && driver.cache.peekResponse() == nullptr; ++i) {
    if (driver.cache.peekMiss() != nullptr) below.push_back(driver.cache.takeMiss());
    if (!below.empty() && driver.cache.canFill(below.back())) {
      const Request fetched = below.back();
      below.pop_back();
      ASSERT_NO_FATAL_FAILURE(driver.fill(fetched));
      continue;
    }
    driver.tick();
  }
  ASSERT_NE(driver.cache.peekResponse(), nullptr);
  EXPECT_EQ(driver.cache.peekResponse()->id, 7u);
}

TEST(CacheLimits, WhatAMachineFileMayDescribeCanBeBuilt) {
  Random random(4);
  u32 built = 0, refused = 0;
  for (u32 i = 0; built < 200; ++i) {
    ASSERT_LT(i, 1'000'000u);
    const config::Cache cache = randomCache(random);
    if (!isAccepted(cache)) {
      ++refused;
      continue;
    }
    ++built;
    SCOPED_TRACE(::testing::Message() << cache.bytes << " bytes, " << cache.ways << " ways, lines of " << cache.lineBytes << ", sectors of "
                                      << cache.sectorBytes << ", " << cache.mshrs << " x " << cache.mergesPerMshr << " MSHRs");
    ASSERT_NO_FATAL_FAILURE(expectAnswers(cache));
  }
  EXPECT_GT(refused, 200u);
}

}  // namespace
}  // namespace warpwright::mem
