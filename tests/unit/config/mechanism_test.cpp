#include "config/mechanism.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "config/machine.hpp"

namespace warpwright::config {
namespace {

struct Filter {
  u32 entries = 16;
  bool eager = false;
};

constexpr Row<Filter> kRows[] = {
    row<&Filter::entries>("entries", "entries", {1, 64, true}, "of the filter"),
    choice<&Filter::eager>("eager", "whether it is"),
};

const MechanismKind kFilter{"filter",
                            "Filters.",
                            "Nobody, section 0",
                            false,
                            false,
                            Filter{},
                            settingsOf<Filter>(kRows),
                            [](const std::any& settings, const Machine& machine) -> std::optional<std::string> {
                              if (std::any_cast<Filter>(settings).entries <= machine.warpsPerSm) return std::nullopt;
                              return "more entries than warps";
                            },
                            [](const std::any& settings) { return std::any_cast<Filter>(settings).eager; }};
const MechanismKind kPlain{"plain", "Nothing more.", "Nobody, section 1", true, false, std::any{}, {}, nullptr};
const MechanismKind kKeeper{
    "keeper", "Keeps.", "Nobody, section 2", false, false, std::any{}, {}, nullptr, [](const std::any&) { return true; }};

// Before any test asks for sections.
const bool kMechanismsInstalled = [] {
  static const MechanismKind* const kKinds[] = {&kFilter, &kPlain, &kKeeper};
  installMechanisms(kKinds);
  return true;
}();

const char* const kTimed = "chip.memory_bus_bits = 384\nchip.memory_clock_khz = 1848000\n[sm.pipeline]\n[network]\n[dram]\n";

std::string messageOf(const std::string& toml, std::vector<std::string> overrides = {}) {
  try {
    parseMachine(toml, "m.toml", overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Filter filterOf(const Machine& machine) { return std::any_cast<Filter>(*machine.mechanisms.find("filter")); }

TEST(Mechanism, ATableAddsItWithItsDefaults) {
  EXPECT_FALSE(parseMachine("", "m.toml").mechanisms.has("filter"));
  const Machine machine = parseMachine("[mechanism.filter]\neager = true\n", "m.toml");
  EXPECT_EQ(filterOf(machine).entries, 16u);
  EXPECT_TRUE(filterOf(machine).eager);
  EXPECT_FALSE(machine.timed);
}

TEST(Mechanism, SettingsAddChangeAndRemoveIt) {
  const std::vector<std::string> add = {"mechanism.filter=true", "mechanism.filter.entries=8"};
  EXPECT_EQ(filterOf(parseMachine("", "m.toml", add)).entries, 8u);
  const std::vector<std::string> remove = {"mechanism.filter=false"};
  EXPECT_FALSE(parseMachine("[mechanism.filter]\n", "m.toml", remove).mechanisms.has("filter"));
}

TEST(Mechanism, MachinesDifferByMechanismsAndTheirSettings) {
  const Machine without = parseMachine("", "m.toml"), with = parseMachine("[mechanism.filter]\n", "m.toml"),
                other = parseMachine("[mechanism.filter]\nentries = 32\n", "m.toml");
  EXPECT_NE(without, with);
  EXPECT_NE(with, other);
  EXPECT_EQ(with, parseMachine("mechanism.filter = true\n", "m.toml"));
  EXPECT_NE(hashOf(with), hashOf(other));
  EXPECT_EQ(parseMachine(toToml(other), "m.toml"), other);
}

TEST(Mechanism, AreAppliedInTheOrderOfTheirKinds) {
  const Machine machine = parseMachine(std::string(kTimed) + "[mechanism.plain]\n[mechanism.filter]\n", "m.toml");
  ASSERT_EQ(machine.mechanisms.all().size(), 2u);
  EXPECT_EQ(machine.mechanisms.all()[0].kind, &kFilter);
  EXPECT_EQ(machine.mechanisms.all()[1].kind, &kPlain);
}

TEST(Mechanism, MistakesAreExplained) {
  EXPECT_EQ(messageOf("[mechanism.filtre]\n"), "m.toml:1:12: error: no mechanism is called 'filtre'\n  remedy: did you mean 'filter'?");
  EXPECT_EQ(messageOf("[mechanism.filter]\nentires = 4\n"),
            "m.toml:2:1: error: unknown key 'mechanism.filter.entires'\n  remedy: did you mean 'mechanism.filter.entries'?");
  EXPECT_EQ(
      messageOf("", {"mechanism.filter.entries=4"}),
      "--set mechanism.filter.entries=4: error: the machine has no mechanism 'filter', so there is no key 'mechanism.filter.entries'\n"
      "  remedy: add --mechanism filter");
  EXPECT_EQ(messageOf("", {"mechanism.filtre=true"}),
            "--mechanism filtre: error: no mechanism is called 'filtre'\n  remedy: did you mean 'filter'?");
  EXPECT_EQ(messageOf("", {"mechanism.filter=true", "mechanism.filter.entries=64"}),
            "--set mechanism.filter.entries=64: error: mechanism 'filter': more entries than warps");
  EXPECT_EQ(messageOf("mechanism.filter = 3\n"),
            "m.toml:1:11: error: mechanism.filter is a table, true or false\n  remedy: write it as [mechanism.filter]");
  EXPECT_EQ(messageOf("[mechanism.filter]\nentries = 64\n"), "m.toml:1:12: error: mechanism 'filter': more entries than warps");
  EXPECT_EQ(messageOf("[mechanism.plain]\n"), "m.toml:1:12: error: the mechanism 'plain' needs a timed machine; 'm' is functional only");
  EXPECT_EQ(messageOf(std::string(kTimed) + "[mechanism.plain]\n"), "no error");
}

TEST(Mechanism, OneAtMostKeepsWordsOfSharedMemory) {
  EXPECT_EQ(messageOf("[mechanism.filter]\n[mechanism.keeper]\n"), "no error");
  EXPECT_EQ(messageOf("[mechanism.filter]\neager = true\n"), "no error");
  EXPECT_EQ(
      messageOf("[mechanism.filter]\neager = true\n[mechanism.keeper]\n"),
      "m.toml:3:12: error: mechanism 'keeper': 'filter' keeps words of shared memory that the banks do not have, as it does, and neither "
      "asks the other: leave one of them out, or set it so that it leaves shared memory alone");
}

TEST(Mechanism, AKeyShowsItsDefaultWithoutIt) {
  const Field* field = findField("mechanism.filter.entries");
  ASSERT_NE(field, nullptr);
  EXPECT_EQ(field->valueText(Machine{}), "16");
  EXPECT_EQ(field->rangeText(), "1 to 64, a power of two");
}

// A machine without it has no place for a value: one that was taken there would be lost.
TEST(Mechanism, AKeyIsNotSetWithoutIt) {
  const Field* entries = findField("mechanism.filter.entries");
  const Field* eager = findField("mechanism.filter.eager");
  Machine without;
  EXPECT_FALSE(entries->set(without, u64{32}));
  EXPECT_FALSE(eager->set(without, true));
  EXPECT_EQ(entries->valueText(without), "16");
  EXPECT_EQ(without, Machine{});
  EXPECT_EQ(entries->slot(without), std::nullopt);
  Machine with;
  with.mechanisms.add(kFilter);
  EXPECT_TRUE(entries->set(with, u64{32}));
  EXPECT_EQ(entries->valueText(with), "32");
  EXPECT_EQ(entries->valueText(without), "16");
}

}  // namespace
}  // namespace warpwright::config
