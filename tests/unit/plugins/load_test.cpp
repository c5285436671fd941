#include "plugins/load.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"
#include "config/machine.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::plugins {
namespace {

const std::string kModules = PLUGIN_MODULES;

std::string refusal(const std::string& file) {
  try {
    load(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "loaded";
}

// What the module is told to bring is wrong.
std::string refusalAs(const char* as) {
  setenv("COUNTING_AS", as, 1);
  std::string text = refusal(kModules + "counting.so");
  unsetenv("COUNTING_AS");
  return text;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Kinds can be added only before the first machine is read, so the tests come in this order in one process.
TEST(Plugins, WrongOnesAreRefusedBeforeAnythingOfTheirsIsUsed) {
  const std::size_t before = mechanisms::catalogue().size();
  EXPECT_TRUE(contains(refusal("nowhere.so"), "there is no plug-in 'nowhere.so'")) << refusal("nowhere.so");
  EXPECT_TRUE(contains(refusal(WARPWRIGHT_SOURCE_DIR "/README.md"), "cannot be loaded"));
  EXPECT_TRUE(contains(refusal(kModules + "no_symbol.so"), "it has no symbol 'warpwright_plugin'"));
  EXPECT_TRUE(contains(refusal(kModules + "other_magic.so"), "does not begin as one"));
  const std::string altered = refusal(kModules + "altered_abi.so");
  EXPECT_TRUE(contains(altered, "was built against\n    warpwright 0.0.9 of another day\n  and this is\n    warpwright ")) << altered;
  EXPECT_TRUE(contains(altered, "remedy: build it anew")) << altered;
  EXPECT_TRUE(contains(refusalAs("avc"), "there is a mechanism 'avc' already")) << refusalAs("avc");
  EXPECT_TRUE(contains(refusalAs("two"), "'other' counts under the name 'counting', as 'counting' does")) << refusalAs("two");
  EXPECT_TRUE(contains(refusalAs("failure"), "counting.so: error: not today\n  remedy: come back tomorrow")) << refusalAs("failure");
  EXPECT_EQ(mechanisms::catalogue().size(), before);
  EXPECT_TRUE(loaded().empty());
}

TEST(Plugins, TheEnvironmentNamesThemAndEachIsLoadedOnce) {
  setenv(kVariable, (kModules + "counting.so::" + kModules + "../modules/counting.so").c_str(), 1);
  loadFromEnvironment();
  unsetenv(kVariable);
  ASSERT_EQ(loaded().size(), 1u);
  EXPECT_EQ(loaded().front().name, "counting");
  EXPECT_EQ(loaded().front().version, "1.2");
  EXPECT_EQ(bringerOf("counting"), &loaded().front());
  EXPECT_EQ(bringerOf("avc"), nullptr);
  load(kModules + "counting.so");
  EXPECT_EQ(loaded().size(), 1u);
}

std::string messageOf(const std::string& toml) {
  try {
    const config::Machine machine = config::parseMachine(toml, "mine.toml");
    mechanisms::makeMechanisms(machine);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Settings (std::any), exceptions, statistics and figures cross the boundary.
TEST(Plugins, MachinesHaveTheirMechanismsWithSettings) {
  const config::Machine machine = config::parseMachine("base = \"gtx480\"\n[mechanism.counting]\nstep = 5\nmood = \"wild\"\n", "mine.toml");
  EXPECT_TRUE(contains(config::toToml(machine), "[mechanism.counting]\nstep = 5\nfails = false\nmood = \"wild\"\n"));
  const mechanisms::Mechanisms made = mechanisms::makeMechanisms(machine);
  ASSERT_EQ(made.size(), 1u);
  stats::NamedStatistics sum = mechanisms::uncounted(machine);
  made.front()->collect(sum);
  made.front()->collect(sum);
  const stats::AnyStatistics* counted = sum.find("counting");
  ASSERT_NE(counted, nullptr);
  std::vector<std::pair<std::string, double>> numbers;
  counted->forEachNumber([&](const auto& number) { numbers.emplace_back(number.name, number.value.value_or(-1)); });
  EXPECT_EQ(numbers, (std::vector<std::pair<std::string, double>>{{"machines", 2}, {"steps", 10}, {"mean", 5}}));
  EXPECT_TRUE(contains(messageOf("base = \"gtx480\"\n[mechanism.counting]\nstep = 101\n"), "mine.toml:3"));
  EXPECT_TRUE(contains(messageOf("base = \"gtx480\"\n[mechanism.counting]\nstep = 13\n"), "mechanism 'counting': 13 is no step"));
  EXPECT_EQ(messageOf("base = \"gtx480\"\n[mechanism.counting]\nfails = true\n"),
            "counting:7: error: told to fail on mine\n  remedy: do not tell it to");
}

TEST(Plugins, ComeBeforeTheFirstMachine) {
  config::loadMachine("gtx480");
  EXPECT_TRUE(contains(refusal(kModules + "no_symbol.so"), "comes too late")) << refusal(kModules + "no_symbol.so");
}

}  // namespace
}  // namespace warpwright::plugins
