// Policies that are added at run time, as a shared object does that is loaded after machine files have been read.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/machine.hpp"
#include "machines/gpu.hpp"
#include "mem/network/arbitration/arbitration.hpp"

namespace warpwright::config {
namespace {

// Takes the first of the channels that can go.
class FirstChannel final : public mem::Arbitration {
 public:
  u32 pick(const mem::Contest& contest) override {
    return contest.waiting().findFrom(0, [&](u32 local) { return contest.isEligible(local); });
  }
};

struct ToySettings {
  u32 size = 3;
  bool round = false;
};
std::span<const Row<ToySettings>> toyRows() {
  static constexpr std::array kRows = {row<&ToySettings::size>("size", "toys", {1, 9}, "Default: 3."),
                                       choice<&ToySettings::round>("round", "Default: false.")};
  return kRows;
}

u32 lastSize = 0;

constexpr mem::ArbitrationEntry kSized{{.name = "sized",
                                        .text = "The first channel.",
                                        .source = "here",
                                        .defaults = policyDefaults<ToySettings>,
                                        .settings = policySettings<ToySettings, toyRows>},
                                       [](const std::any& settings) -> std::unique_ptr<mem::Arbitration> {
                                         lastSize = std::any_cast<const ToySettings&>(settings).size;
                                         return std::make_unique<FirstChannel>();
                                       }};

std::string messageOf(auto action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.message()) + "|" + std::string(error.remedy());
  }
  return {};
}

std::string errorOf(const std::string& toml, Overrides overrides = {}) {
  return messageOf([&] { parseMachine("base = \"gtx480\"\n" + toml, "test.toml", overrides); });
}

TEST(Policies, MayBeAddedAtRunTime) {
  ASSERT_NE(errorOf("[network]\narbitration = \"sized\"\n"), "");
  mem::arbitrationList().add(kSized);
  const Machine machine = parseMachine("base = \"gtx480\"\n[network]\narbitration = \"sized\"\n[network.sized]\nsize = 5\n", "test.toml");
  EXPECT_EQ(machine.network.arbitration, "sized");
  EXPECT_EQ(std::any_cast<const ToySettings&>(machine.network.arbitration.settings).size, 5u);
  EXPECT_EQ(parseMachine(toToml(machine), "gtx480.toml"), machine);
  EXPECT_NE(mem::arbitrationList().make(machine.network.arbitration), nullptr);
  EXPECT_EQ(lastSize, 5u);
  EXPECT_NE(toToml(machine).find("[network.sized]\nsize = 5\nround = false\n"), std::string::npos);

  const std::vector<std::string> overrides = {"network.arbitration=sized", "network.sized.round=true"};
  const Machine changed = parseMachine("base = \"gtx480\"\n", "test.toml", overrides);
  EXPECT_TRUE(std::any_cast<const ToySettings&>(changed.network.arbitration.settings).round);
  EXPECT_NE(hashOf(changed), hashOf(machine));

  EXPECT_EQ(errorOf("[network.sized]\nsize = 5\n"),
            "'sized' is not chosen, so there is no [network.sized]|choose it in [network], or leave its settings out");
  const std::vector<std::string> notChosen = {"network.sized.size=5"};
  EXPECT_NE(errorOf("", notChosen), "");
  EXPECT_NE(errorOf("[network]\narbitration = \"sized\"\n[network.sized]\nsize = 10\n"), "") << "out of its range";
  EXPECT_NE(errorOf("[network]\narbitration = \"sized\"\n[network.sized]\nsise = 1\n"), "");
}

}  // namespace
}  // namespace warpwright::config
