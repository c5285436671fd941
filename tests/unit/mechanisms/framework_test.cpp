#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "config/fields.hpp"
#include "mechanisms/launch_observers.hpp"
#include "mechanisms/reference.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::mechanisms {
namespace {

struct Blocks {
  u64 begun = 0;
  static constexpr void fields(auto&& field) { field("begun", "blocks", "that began", &Blocks::begun); }
};

class BlockCounter final : public LaunchObserver {
 public:
  bool wantsIssue() const override { return false; }
  void blockBegins(u64) override { ++blocks_.begun; }
  void collect(stats::NamedStatistics& into) const override { into.add("blocks", stats::Structure(blocks_)); }

 private:
  Blocks blocks_;
};

class CountsBlocks final : public Mechanism {
 public:
  std::unique_ptr<LaunchObserver> observe(const exec::LaunchRequest&) override { return std::make_unique<BlockCounter>(); }
};

class Quiet final : public Mechanism {};

class Heard final : public exec::Observer {
 public:
  void blockBegins(u64) override { ++blocks; }
  u64 blocks = 0;
};

u64 begunIn(const stats::NamedStatistics& statistics) { return statistics.find("blocks")->json()["begun"].get<u64>(); }

TEST(LaunchObservers, PassEventsToThoseGivenAndToMechanismsAndMergeWhatTheyCount) {
  Mechanisms mechanisms;
  mechanisms.push_back(std::make_unique<Quiet>());
  mechanisms.push_back(std::make_unique<CountsBlocks>());
  Heard first, second;
  const LaunchObservers observers(mechanisms, {}, {&first, &second});
  ASSERT_EQ(observers.all().size(), 2u);
  observers.all()[0]->blockBegins(0);
  observers.all()[1]->blockBegins(1);
  observers.all()[1]->blockBegins(2);
  EXPECT_EQ(first.blocks, 1u);
  EXPECT_EQ(second.blocks, 2u);
  EXPECT_EQ(begunIn(observers.counted()), 3u);
}

TEST(LaunchObservers, AskForIssueEventsIfAnyoneDoes) {
  Mechanisms mechanisms;
  mechanisms.push_back(std::make_unique<CountsBlocks>());
  Heard wantsIssues;
  BlockCounter doesNot;
  EXPECT_TRUE(LaunchObservers(mechanisms, {}, {&wantsIssues}).all().front()->wantsIssue());
  EXPECT_FALSE(LaunchObservers(mechanisms, {}, {&doesNot}).all().front()->wantsIssue());
}

TEST(LaunchObservers, WhoIsAloneHearsEventsDirectly) {
  Heard alone;
  EXPECT_EQ(LaunchObservers({}, {}, {&alone}).all().front(), &alone);
}

TEST(Catalogue, EveryKindHasADescriptionAndPassesItsOwnChecks) {
  for (const Kind* kind : catalogue()) {
    const config::MechanismKind& description = kind->description;
    EXPECT_EQ(&config::mechanismKind(description.name), &description);
    EXPECT_FALSE(description.text.empty()) << description.name;
    EXPECT_FALSE(description.paper.empty()) << description.name;
    const config::Machine defaults;
    for (const config::Field& field : config::findSection("mechanism." + std::string(description.name))->fields) {
      EXPECT_EQ(field.problem(defaults), std::nullopt) << field.key();
      EXPECT_FALSE(field.text.empty()) << field.key();
    }
  }
}

TEST(Reference, PageIsCurrent) {
  EXPECT_EQ(readFile(std::string(WARPWRIGHT_SOURCE_DIR) + "/docs/mechanisms.md"), mechanismReference())
      << "run: bin/mechanism-reference > docs/mechanisms.md";
}

}  // namespace
}  // namespace warpwright::mechanisms
