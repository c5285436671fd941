// Policies in machine files: names, settings, and those that are added at run time.
#include "config/policy.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "config/policy_list.hpp"
#include "machines/policies.hpp"

namespace warpwright::config {
namespace {

// The tests of this program read machine files that name policies.
const bool kPoliciesInstalled = [] {
  machines::installPolicies();
  return true;
}();

struct Toy {
  virtual ~Toy() = default;
  u32 size = 0;
};
using ToyEntry = PolicyEntry<Toy, u32>;

struct ToySettings {
  u32 size = 3;
  bool round = false;
};
std::span<const Row<ToySettings>> toyRows() {
  static constexpr std::array kRows = {row<&ToySettings::size>("size", "toys", {1, 9}, "Default: 3."),
                                       choice<&ToySettings::round>("round", "Default: false.")};
  return kRows;
}

constexpr ToyEntry kPlainToy{{.name = "plain", .text = "A toy.", .source = "here"},
                             [](const std::any&, u32) -> std::unique_ptr<Toy> { return std::make_unique<Toy>(); }};
constexpr ToyEntry kSizedToy{{.name = "sized",
                              .text = "A toy of some size.",
                              .source = "here",
                              .defaults = policyDefaults<ToySettings>,
                              .settings = policySettings<ToySettings, toyRows>},
                             [](const std::any& settings, u32 factor) -> std::unique_ptr<Toy> {
                               auto toy = std::make_unique<Toy>();
                               toy->size = factor * std::any_cast<const ToySettings&>(settings).size;
                               return toy;
                             }};

std::string messageFrom(auto action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.message()) + "|" + std::string(error.remedy());
  }
  return {};
}

std::string machineMessage(const std::string& toml, Overrides overrides = {}) {
  return messageFrom([&] { parseMachine("base = \"gtx480\"\n" + toml, "test.toml", overrides); });
}

TEST(Policies, AnEntryNeedsAFactory) {
  static_assert(!std::is_default_constructible_v<ToyEntry>);
  static_assert(!std::is_constructible_v<PolicyFactory<Toy, u32>, std::nullptr_t>);
  static_assert(std::is_trivially_destructible_v<ToyEntry>, "they outlive the reports at the end of a program");
}

TEST(Policies, AreMadeByNameWithTheirSettings) {
  PolicyFamily family("toy");
  const PolicyList<Toy, u32> list(family, kPlainToy, kSizedToy);
  EXPECT_EQ(list.make("plain", 7)->size, 0u);
  EXPECT_EQ(list.make("sized", 7)->size, 21u);
  Policy chosen(kSizedToy.kind);
  std::any_cast<ToySettings&>(chosen.settings).size = 2;
  EXPECT_EQ(list.make(chosen, 7)->size, 14u);
}

TEST(Policies, ANameThatNoneHasIsExplained) {
  PolicyFamily family("toy");
  const PolicyList<Toy, u32> list(family, kPlainToy, kSizedToy);
  EXPECT_EQ(messageFrom([&] { list.make("plane", 1); }), "no toy is called 'plane'|did you mean 'plain'? there are: plain, sized");
  EXPECT_EQ(messageFrom([&] { list.make("xyz", 1); }), "no toy is called 'xyz'|there are: plain, sized");
}

TEST(Policies, TwoOfOneNameAreRefused) {
  PolicyFamily family("toy");
  PolicyList<Toy, u32> list(family, kPlainToy);
  EXPECT_EQ(messageFrom([&] { list.add(kPlainToy); }), "there is a toy called 'plain' already|give it another name");
}

TEST(Policies, AFactoryThatMakesNothingIsFound) {
  static constexpr ToyEntry kNothing{{.name = "nothing"}, [](const std::any&, u32) -> std::unique_ptr<Toy> { return nullptr; }};
  PolicyFamily family("toy");
  const PolicyList<Toy, u32> list(family, kNothing);
  EXPECT_NE(messageFrom([&] { list.make("nothing", 1); }), "");
}

TEST(Policies, AreEqualWhenTheirSettingsAre) {
  Policy one(kSizedToy.kind), other("sized");
  EXPECT_EQ(one, other) << "the defaults";
  std::any_cast<ToySettings&>(one.settings).round = true;
  EXPECT_NE(one, other);
  other.settingsOf(kSizedToy.kind);
  std::any_cast<ToySettings&>(other.settings).round = true;
  EXPECT_EQ(one, other);
  EXPECT_NE(one, Policy("plain"));
}

// A machine that has chosen another one has no place for its settings.
TEST(Policies, ASettingIsNotSetWhereThePolicyIsNotChosen) {
  const Field* field = findField("l1d.ship.counter_bits");
  ASSERT_NE(field, nullptr);
  Machine machine;
  const std::string byDefault = field->valueText(machine);
  EXPECT_FALSE(field->set(machine, u64{2}));
  EXPECT_EQ(field->slot(machine), std::nullopt);
  EXPECT_EQ(field->valueText(machine), byDefault);
  ASSERT_TRUE(findField("l1d.replacement")->set(machine, std::string_view("ship")));
  EXPECT_TRUE(field->set(machine, u64{2}));
  EXPECT_EQ(field->valueText(machine), "2");
}

TEST(Policies, AnUnknownNameInAMachineFileGivesTheNearest) {
  const std::string message = machineMessage("[l1d]\nreplacement = \"tree_pllru\"\n");
  EXPECT_NE(message.find("l1d.replacement = \"tree_pllru\" is out of range: `lru` or `tree_plru`"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'tree_plru'? there are: lru"), std::string::npos) << message;
}

}  // namespace
}  // namespace warpwright::config
