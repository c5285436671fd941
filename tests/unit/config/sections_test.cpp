// Sections by themselves: what is said of them without the rest of the machine, and that a whole machine is judged alike.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "config/rules.hpp"
#include "property/random.hpp"

namespace warpwright::config {
namespace {

std::string refusalOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.message());
  }
  return {};
}

Cache soundCache() {
  Cache cache;
  cache.bytes = 16384;
  return cache;
}

TEST(CacheAlone, SoundOnesAreAccepted) {
  EXPECT_NO_THROW(validate(soundCache(), "l1d"));
  Cache six = soundCache();
  six.bytes = 49152;
  six.ways = 6;
  EXPECT_NO_THROW(validate(six, "l1d"));
  EXPECT_NO_THROW(validate(Cache{}, "l1d")) << "MSHRs alone";
}

struct Mistake {
  const char* key;
  std::function<void(Cache&)> make;
};

TEST(CacheAlone, TheErrorBeginsWithTheKey) {
  const std::vector<Mistake> mistakes = {
      {"line_bytes", [](auto& c) { c.lineBytes = 96; }},
      {"line_bytes", [](auto& c) { c.lineBytes = 512; }},
      {"sector_bytes", [](auto& c) { c.sectorBytes = 256; }},
      {"sector_bytes", [](auto& c) { c.bytes = 0, c.sectorBytes = 256; }},
      {"sector_bytes", [](auto& c) { c.sectorBytes = 16; }},
      {"ways", [](auto& c) { c.ways = 0; }},
      {"ways", [](auto& c) { c.ways = 65; }},
      {"bytes", [](auto& c) { c.bytes = 16000; }},
      {"mshrs", [](auto& c) { c.mshrs = 0; }},
      {"mshrs", [](auto& c) { c.bytes = 0, c.mshrs = 65; }},
      {"mshrs", [](auto& c) { c.bytes = 0, c.mshrs = 64, c.mergesPerMshr = 1025; }},
      {"mshrs", [](auto& c) { c.mshrs = 1024, c.mergesPerMshr = 65; }},
      {"merges_per_mshr", [](auto& c) { c.mergesPerMshr = 0; }},
      {"hit_latency", [](auto& c) { c.hitLatency = 0; }},
      {"miss_latency", [](auto& c) { c.missLatency = 0; }},
      {"ports", [](auto& c) { c.ports = 0; }},
      {"banks", [](auto& c) { c.banks = 0; }},
      {"banks", [](auto& c) { c.banks = 128; }},
      {"input_queue", [](auto& c) { c.inputQueue = 0; }},
      {"miss_queue", [](auto& c) { c.missQueue = 1; }},
      {"fill_bytes_per_tick", [](auto& c) { c.fillBytesPerTick = 0; }},
  };
  for (const Mistake& mistake : mistakes) {
    Cache cache = soundCache();
    mistake.make(cache);
    const std::string error = refusalOf([&] { validate(cache, "l1d"); });
    EXPECT_TRUE(error.starts_with(std::string("l1d.") + mistake.key + " = ")) << mistake.key << ": " << error;
  }
}

TEST(CacheAlone, AllThatMshrsCanHoldIsAccepted) {
  Cache cache = soundCache();
  cache.mshrs = 1024, cache.mergesPerMshr = 64;
  EXPECT_NO_THROW(validate(cache, "l2"));
}

TEST(CacheAlone, OtherCachesThanTheFirstLevelsMayBeAbsentWithAnySectors) {
  Cache absent;
  absent.lineBytes = 64;
  EXPECT_NO_THROW(validate(absent, "texture_cache"));
  EXPECT_THROW(validate(absent, "l1d"), Error);
}

TEST(CacheAlone, ASectionThatIsNoCacheIsRefused) { EXPECT_THROW(validate(Cache{}, "dram"), Error); }

constexpr std::string_view kMemorySide[] = {"network", "partition", "l2", "llc", "dram"};

TEST(MemorySideAlone, TheErrorBeginsWithTheKey) {
  const auto expectRefused = [](const std::string& key, const std::function<void(Machine&)>& make) {
    Machine machine;
    machine.l2 = machine.llc = soundCache();
    ASSERT_NO_THROW(validateSections(machine, kMemorySide));
    make(machine);
    const std::string error = refusalOf([&] { validateSections(machine, kMemorySide); });
    EXPECT_TRUE(error.starts_with(key + " = ")) << key << ": " << error;
  };
  expectRefused("partition.slices", [](auto& m) { m.partition.slices = 0; });
  expectRefused("partition.network_ports", [](auto& m) { m.partition.networkPorts = 0; });
  expectRefused("partition.network_ports", [](auto& m) { m.partition.slices = 2, m.partition.networkPorts = 4; });
  expectRefused("partition.input_queue", [](auto& m) { m.partition.inputQueue = 0; });
  expectRefused("partition.output_queue", [](auto& m) { m.partition.outputQueue = 0; });
  expectRefused("partition.dram_queue", [](auto& m) { m.partition.dramQueue = 0; });
  expectRefused("partition.fill_queue", [](auto& m) { m.partition.fillQueue = 0; });
  expectRefused("partition.atomics_per_tick", [](auto& m) { m.partition.atomicsPerTick = 0; });
  expectRefused("partition.atomics_queue", [](auto& m) { m.partition.atomicsQueue = 0; });
  expectRefused("dram.interleave_bytes", [](auto& m) { m.dram.interleaveBytes = 384; });
  expectRefused("l2.line_bytes", [](auto& m) { m.dram.interleaveBytes = 64; });
  expectRefused("l2.ways", [](auto& m) { m.l2.ways = 0; });
  expectRefused("l2.line_bytes", [](auto& m) { m.llc.lineBytes = m.llc.sectorBytes = 64; });
  expectRefused("dram.t_refi", [](auto& m) { m.dram.tREFI = 100, m.dram.tRFC = 90; });
}

TEST(Rules, AFixedLatencyHasAnEnd) {
  Machine machine = loadMachine("h100");
  const auto isRefused = [&] { return refusalOf([&] { validate(machine); }).find("dram.fixed_latency") != std::string::npos; };
  machine.dram.fixedLatency = 100'000;
  EXPECT_FALSE(isRefused());
  machine.coreClockKhz = 100'000;
  EXPECT_TRUE(isRefused());
}

// Another value of a field, now and then one that its range or a rule forbids.
void change(const Field& field, Machine& machine, testing::Random& random) {
  const Slot slot = field.slot(machine).value();
  const auto number = [&](u64 now) -> u64 {
    const u64 choices[] = {field.range.minimum,     field.range.minimum + 1,   now / 2, now * 2, now + 1, field.range.maximum,
                           field.range.maximum + 1, u64{1} << random.below(17)};
    return choices[random.below(std::size(choices))];
  };
  if (u32* const* value = std::get_if<u32*>(&slot)) **value = static_cast<u32>(number(**value));
  if (u64* const* value = std::get_if<u64*>(&slot)) **value = number(**value);
  if (const EnumSlot* value = std::get_if<EnumSlot>(&slot))
    *value->value = static_cast<u8>(random.below(static_cast<u32>(value->names.size())));
}

// A machine is refused for a section of it exactly when the section alone is, or when a rule that names other sections is broken.
TEST(SectionAlone, AndInAMachineAreJudgedAlike) {
  testing::Random random(20);
  const Machine preset = loadMachine("h100");
  u32 accepted = 0, refused = 0;
  for (const Section& section : sections()) {
    const bool isPart =
        section.name == "l1d" || section.name == "l2" || section.name == "llc" || section.name == "dram" || section.name == "partition";
    if (!isPart) continue;
    const std::string_view names[] = {section.name};
    for (u32 i = 0; i < 1000; ++i) {
      Machine machine = preset;
      for (u32 changes = 1 + random.below(3); changes != 0; --changes)
        change(section.fields[random.below(static_cast<u32>(section.fields.size()))], machine, random);
      const bool isRefused = !refusalOf([&] { validateSections(machine, names); }).empty();
      const std::string whole = refusalOf([&] { validate(machine); });
      (isRefused ? refused : accepted) += 1;
      if (isRefused) {
        EXPECT_NE(whole, "") << section.name;
        continue;
      }
      for (const Rule* rule : brokenRules(machine)) {
        bool namesAnother = false;
        for (const std::string& key : rule->keys) namesAnother |= !key.starts_with(section.name + ".");
        EXPECT_TRUE(namesAnother) << rule->problem(machine);
      }
    }
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace warpwright::config
