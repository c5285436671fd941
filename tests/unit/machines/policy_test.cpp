// Policies that are added at run time, as a shared object does that is loaded after machine files have been read.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/machine.hpp"
#include "machines/gpu.hpp"
#include "mem/network/arbitration/arbitration.hpp"
#include "mem/partition/address_map.hpp"

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

// Turns every round by one place.
class Turning final : public mem::ChannelHash {
 public:
  u32 change(u64 round, u32) const override { return static_cast<u32>(round % 2); }
};
constexpr mem::ChannelHashEntry kTurning{{.name = "turning", .text = "By one place.", .source = "here"},
                                         [](const std::any&) -> std::unique_ptr<mem::ChannelHash> { return std::make_unique<Turning>(); }};

TEST(Policies, OfASwitchAreWrittenAsTrueAndFalseAndByName) {
  const std::string base = "base = \"gtx480\"\n";
  const auto hashOf = [&](const std::string& value) { return parseMachine(base + "[dram]\nhash_channels = " + value + "\n", "test.toml"); };
  EXPECT_EQ(hashOf("true").dram.hashChannels, "true");
  EXPECT_EQ(hashOf("false").dram.hashChannels, "false");
  EXPECT_NE(toToml(hashOf("false")).find("\nhash_channels = false\n"), std::string::npos);
  EXPECT_NE(errorOf("[dram]\nhash_channels = \"turning\"\n"), "");
  EXPECT_NE(errorOf("[dram]\nhash_channels = 1\n"), "");
  mem::channelHashList().add(kTurning);
  const Machine turning = hashOf("\"turning\"");
  EXPECT_NE(toToml(turning).find("\nhash_channels = \"turning\"\n"), std::string::npos);
  EXPECT_EQ(parseMachine(toToml(turning), "gtx480.toml"), turning);
  const std::vector<std::string> overrides = {"dram.hash_channels=turning"}, flag = {"dram.hash_channels=true"};
  EXPECT_EQ(parseMachine(base, "test.toml", overrides), parseMachine(base + "[dram]\nhash_channels = \"turning\"\n", "test.toml"));
  EXPECT_EQ(parseMachine(base, "test.toml", flag).dram.hashChannels, "true");
  const mem::AddressMap map(4, 1, 1, 256, turning.dram.hashChannels);
  EXPECT_EQ(map.partition(GlobalAddress(0)), 0u);
  EXPECT_EQ(map.partition(GlobalAddress(4 * 256)), 1u);
}

}  // namespace
}  // namespace warpwright::config
