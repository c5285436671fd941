// Elastic MSHRs of full size under random loads, against a flat memory: packets carry the memory's data, come in any order, and each load
// has to get those of its block, once.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "mechanisms/elastic_mshr/mshrs.hpp"
#include "unit/mechanisms/elastic_mshr/load_requests.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

constexpr u32 kLoads = 20'000;

u64 dataOf(u64 block) { return block * 0x9e37'79b9'7f4a'7c15 + 1; }

struct LoadCase {
  const char* name;
  Geometry geometry;
  std::vector<u32> hyper;  // one of them for each load
};
void PrintTo(const LoadCase& each, std::ostream* out) { *out << each.name; }

class RandomLoads : public ::testing::TestWithParam<LoadCase> {
 protected:
  struct Packet {
    u64 first = 0;
    std::vector<u64> data{};  // by block
  };

  void load(u32 id) {
    const auto& sizes = GetParam().hyper;
    const u64 block = random_() % 4 == 0 ? random_() % 4096 : id / 8 + random_() % 16;
    const Mshrs::Verdict verdict = mshrs_.find(block);
    if (verdict.outcome == Outcome::noEntry || verdict.outcome == Outcome::noSecondary) return;
    const u32 hyper = sizes[random_() % sizes.size()];
    mshrs_.add(verdict, block, hyper, {static_cast<u32>(random_())}, {requestFor(block, id), {}});
    ASSERT_TRUE(waiting_.emplace(id, block).second);
    ++outcomes[verdict.outcome];
    if (verdict.outcome != Outcome::primary) return;
    Packet packet{mshrs_.firstBlock(verdict.entry)};
    for (u32 part = 0; part < hyper; ++part) packet.data.push_back(dataOf(packet.first + part));
    ASSERT_TRUE(packets_.emplace(verdict.entry, packet).second);
    fired += hyper;
  }

  void arriveAny() {
    if (packets_.empty()) return;
    const auto which = std::next(packets_.begin(), static_cast<std::ptrdiff_t>(random_() % packets_.size()));
    const Packet packet = which->second;
    const Mshrs::Arrival arrival = mshrs_.arrived(which->first, [&](u32 secondary) {
      const mem::Request& request = mshrs_.load(secondary).request;
      const u64 block = request.address / 32;
      ASSERT_EQ(waiting_.count(request.id), 1u) << "answered twice, or never asked for";
      ASSERT_EQ(waiting_[request.id], block);
      ASSERT_TRUE(block >= packet.first && block - packet.first < packet.data.size()) << "not in the packet";
      ASSERT_EQ(packet.data[block - packet.first], dataOf(block));
      waiting_.erase(request.id);
      ready_.push_back(secondary);
    });
    ASSERT_EQ(arrival.kept + arrival.dropped + arrival.duplicate, packet.data.size());
    kept += arrival.kept;
    dropped += arrival.dropped;
    duplicate += arrival.duplicate;
    packets_.erase(which);
  }

  void releaseAny() {
    if (ready_.empty()) return;
    std::swap(ready_[random_() % ready_.size()], ready_.back());
    mshrs_.release(ready_.back());
    ready_.pop_back();
  }

  void drain() {
    while (!packets_.empty() && !HasFatalFailure()) arriveAny();
    while (!ready_.empty()) releaseAny();
  }

  std::mt19937_64 random_{11};
  Mshrs mshrs_{GetParam().geometry};
  std::map<u32, u64> waiting_;     // block by id
  std::map<u32, Packet> packets_;  // by MSHR
  std::vector<u32> ready_;         // SMSHRs
  std::map<Outcome, u64> outcomes;
  u64 fired = 0, kept = 0, dropped = 0, duplicate = 0;
};

TEST_P(RandomLoads, EachGetsTheDataOfItsBlockOnce) {
  for (u32 id = 0; id < kLoads && !HasFatalFailure(); ++id) {
    load(id);
    if (random_() % 3 != 0) arriveAny();
    if (random_() % 4 != 0) releaseAny();
    if (id % 1000 == 999) {
      drain();
      ASSERT_TRUE(waiting_.empty());
      ASSERT_EQ(mshrs_.used(), 0u);
    }
  }
  EXPECT_EQ(fired, kept + dropped + duplicate);
  EXPECT_EQ(kept, outcomes[Outcome::primary] + outcomes[Outcome::reservation]);
  EXPECT_EQ(outcomes[Outcome::secondary] > 50, GetParam().geometry.secondaries > 1);
  const bool isElastic = GetParam().hyper.size() > 1;
  EXPECT_EQ(outcomes[Outcome::reservation] > 50, isElastic);
  EXPECT_EQ(dropped > 50, isElastic);
  EXPECT_EQ(duplicate > 0, isElastic);
}

INSTANTIATE_TEST_SUITE_P(Configurations, RandomLoads,
                         ::testing::Values(LoadCase{"as table 6.2", {}, {1, 2, 4, 8}}, LoadCase{"normal blocks", {}, {1}},
                                           LoadCase{"few", {.entries = 5, .secondaries = 3, .ways = 5}, {1, 8}},
                                           LoadCase{"four sets", {.entries = 64, .secondaries = 2, .ways = 16}, {1, 2, 4, 8}},
                                           LoadCase{"of one load each", {.entries = 16, .secondaries = 1, .ways = 16}, {2, 8}}),
                         [](const auto& each) { return std::to_string(each.index); });

}  // namespace
}  // namespace warpwright::mechanisms::elastic_mshr
