#include "mem/cache/validate.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace warpwright::mem {
namespace {

struct Mistake {
  const char* key;
  std::function<void(config::Cache&)> make;
};

config::Cache sound() {
  config::Cache cache;
  cache.bytes = 16384;
  return cache;
}

TEST(ValidateCache, acceptsSoundOnes) {
  EXPECT_NO_THROW(validate(sound(), "l1d"));
  config::Cache six = sound();
  six.bytes = 49152;
  six.ways = 6;
  EXPECT_NO_THROW(validate(six, "l1d"));
  EXPECT_NO_THROW(validate(config::Cache{}, "l1d")) << "MSHRs alone";
}

TEST(ValidateCache, namesTheKey) {
  const std::vector<Mistake> mistakes = {
      {"line_bytes", [](auto& c) { c.lineBytes = 96; }},
      {"line_bytes", [](auto& c) { c.lineBytes = 512; }},
      {"sector_bytes", [](auto& c) { c.sectorBytes = 256; }},
      {"sector_bytes", [](auto& c) { c.sectorBytes = 16; }},
      {"ways", [](auto& c) { c.ways = 0; }},
      {"ways", [](auto& c) { c.ways = 65; }},
      {"bytes", [](auto& c) { c.bytes = 16000; }},
      {"mshrs", [](auto& c) { c.mshrs = 0; }},
      {"mshrs", [](auto& c) { c.bytes = 0, c.mshrs = 65; }},
      {"merges_per_mshr", [](auto& c) { c.mergesPerMshr = 0; }},
      {"merges_per_mshr", [](auto& c) { c.mshrs = 1024, c.mergesPerMshr = 65; }},
      {"hit_latency", [](auto& c) { c.hitLatency = 0; }},
      {"miss_latency", [](auto& c) { c.missLatency = 0; }},
      {"ports", [](auto& c) { c.ports = 0; }},
      {"banks", [](auto& c) { c.banks = 0; }},
      {"banks", [](auto& c) { c.banks = 65; }},
      {"input_queue", [](auto& c) { c.inputQueue = 0; }},
      {"miss_queue", [](auto& c) { c.missQueue = 1; }},
      {"fill_bytes_per_tick", [](auto& c) { c.fillBytesPerTick = 0; }},
  };
  for (const Mistake& mistake : mistakes) {
    config::Cache cache = sound();
    mistake.make(cache);
    try {
      validate(cache, "l1d");
      ADD_FAILURE() << mistake.key << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.message().find(std::string("l1d.") + mistake.key + ":"), 0u) << error.message();
      EXPECT_FALSE(error.remedy().empty());
    }
  }
}

}  // namespace
}  // namespace warpwright::mem
