#include "plugins/load.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"
#include "config/machine.hpp"
#include "mechanisms/mechanism.hpp"
#include "mem/cache/replacement/replacement.hpp"

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
  EXPECT_TRUE(contains(refusalAs("lru"), "there is a replacement policy 'lru' already")) << refusalAs("lru");
  EXPECT_TRUE(contains(refusalAs("twice"), "there is a replacement policy 'highest' already")) << refusalAs("twice");
  EXPECT_TRUE(contains(refusalAs("no-name"), "no replacement policy can be called 'no-name'")) << refusalAs("no-name");
  EXPECT_EQ(mechanisms::catalogue().size(), before);
  EXPECT_EQ(config::replacementPolicies.find("highest"), nullptr);
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
  EXPECT_EQ(loaded().front().policies, std::vector<std::string>{"replacement policy 'highest'"});
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

// Their keys, defaults, factories and errors are used as those of policies that were always there.
TEST(Plugins, MachinesHaveTheirPoliciesWithSettings) {
  const config::Machine machine =
      config::parseMachine("base = \"gtx480\"\n[l1d]\nreplacement = \"highest\"\n[l1d.highest]\nfrom = 3\n", "mine.toml");
  EXPECT_TRUE(contains(config::toToml(machine), "replacement = \"highest\""));
  const auto made = mem::replacementList().make(machine.l1d.replacement, mem::ReplacementContext{4, 8});
  EXPECT_EQ(made->victim(0, mem::WaySet(0b1011)), 3u);
  EXPECT_TRUE(contains(messageOf("base = \"gtx480\"\n[l1d]\nreplacement = \"highest\"\n[l1d.highest]\nfrom = 65\n"), "mine.toml:5"));
  const config::Machine tooFar =
      config::parseMachine("base = \"gtx480\"\n[l1d]\nreplacement = \"highest\"\n[l1d.highest]\nfrom = 64\n", "mine.toml");
  EXPECT_THROW(mem::replacementList().make(tooFar.l1d.replacement, mem::ReplacementContext{4, 8}), Error);
}

TEST(Plugins, ComeBeforeTheFirstMachine) {
  config::loadMachine("gtx480");
  EXPECT_TRUE(contains(refusal(kModules + "no_symbol.so"), "comes too late")) << refusal(kModules + "no_symbol.so");
}

}  // namespace
}  // namespace warpwright::plugins
