// Every state that a few elastic MSHRs can be in, found by trying every load, every packet and every end of a load in every state that was
// found. What they do is held against a description without MSHRs: which blocks loads wait for, which packets are under way, and which of
// them brings what. In each state every load that waits gets its data once, from a packet that has its block, and everything comes to rest.
#include <gtest/gtest.h>

#include <map>
#include <unordered_set>

#include "mechanisms/elastic_mshr/mshrs.hpp"
#include "unit/mechanisms/elastic_mshr/load_requests.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

constexpr u32 kBlocks = 5, kNobody = Mshrs::kNone;

struct Packet {
  u64 first = 0;
  u32 blocks = 0, set = 0;
  bool has(u64 block) const { return block >= first && block < first + blocks; }
};

struct State {
  Mshrs mshrs;
  std::vector<u32> ready{};            // SMSHRs of loads that have their data
  std::array<u32, kBlocks> waiting{};  // loads by block
  std::array<u32, kBlocks> bringer{};  // by block that is waited for: the packet, by the MSHR that asked for it
  std::map<u32, Packet> packets{};     // under way
};

class Explorer {
 public:
  explicit Explorer(const Geometry& geometry) : geometry_(geometry), sets_(geometry.entries / geometry.ways) {}

  void run() {
    visit(State{Mshrs(geometry_)});
    while (!open_.empty() && !::testing::Test::HasFatalFailure()) {
      const State state = open_.back();
      open_.pop_back();
      tryAll(state);
      drain(state);
    }
  }
  std::size_t states() const { return known_.size(); }

 private:
  u32 setOf(u64 block) const { return static_cast<u32>(block % sets_); }

  void tryAll(const State& state) {
    for (u64 block = 0; block < kBlocks; ++block)
      for (const u32 hyper : {1u, 2u, 4u}) step(state, [&](State& next) { load(next, block, hyper); });
    for (const auto& [entry, packet] : state.packets) step(state, [&, entry = entry](State& next) { arrive(next, entry); });
    for (std::size_t place = 0; place < state.ready.size(); ++place) step(state, [&](State& next) { release(next, place); });
  }

  // MSHRs of the set that are taken: one for each block that is waited for, and those with loads that have their data.
  u32 used(const State& state, u32 set) const {
    u32 count = 0;
    for (u64 block = set; block < kBlocks; block += sets_) count += state.waiting[block] != 0;
    std::unordered_set<u32> ready;
    for (const u32 secondary : state.ready) ready.insert(secondary / geometry_.secondaries);
    for (const u32 entry : ready) count += entry / geometry_.ways == set;
    return count;
  }

  Outcome expected(const State& state, u64 block) const {
    if (state.waiting[block] != 0) return state.waiting[block] < geometry_.secondaries ? Outcome::secondary : Outcome::noSecondary;
    if (used(state, setOf(block)) == geometry_.ways) return Outcome::noEntry;
    for (const auto& [entry, packet] : state.packets) {
      if (packet.blocks > 1 && packet.has(block) && packet.set == setOf(block)) return Outcome::reservation;
    }
    return Outcome::primary;
  }

  void load(State& state, u64 block, u32 hyper) {
    const Mshrs::Verdict verdict = state.mshrs.find(block);
    ASSERT_EQ(verdict.outcome, expected(state, block)) << "block " << block;
    if (verdict.outcome == Outcome::noEntry || verdict.outcome == Outcome::noSecondary) return;
    state.mshrs.add(verdict, block, hyper, {1}, {requestFor(block, static_cast<u32>(block)), {}});
    ++state.waiting[block];
    if (verdict.outcome == Outcome::secondary) return;
    state.bringer[block] = verdict.outcome == Outcome::primary ? verdict.entry : verdict.packet;
    if (verdict.outcome == Outcome::primary) {
      ASSERT_EQ(state.packets.count(verdict.entry), 0u);
      state.packets[verdict.entry] = {block / hyper * hyper, hyper, setOf(block)};
    }
    ASSERT_TRUE(state.packets.at(state.bringer[block]).has(block));
  }

  void arrive(State& state, u32 entry) {
    const Packet packet = state.packets.at(entry);
    std::array<u32, kBlocks> served{};
    const Mshrs::Arrival arrival = state.mshrs.arrived(entry, [&](u32 secondary) {
      ++served[state.mshrs.load(secondary).request.address / 32];
      state.ready.push_back(secondary);
    });
    u32 kept = 0, duplicate = 0;
    for (u64 block = 0; block < kBlocks; ++block) {
      const bool isBrought = state.waiting[block] != 0 && state.bringer[block] == entry;
      ASSERT_EQ(served[block], isBrought ? state.waiting[block] : 0) << "block " << block;
      kept += isBrought;
      duplicate += !isBrought && state.waiting[block] != 0 && packet.has(block);
      if (isBrought) state.waiting[block] = 0;
    }
    ASSERT_EQ(arrival.kept, kept);
    ASSERT_EQ(arrival.duplicate, duplicate);
    ASSERT_EQ(arrival.dropped, packet.blocks - kept - duplicate);
    state.packets.erase(entry);
  }

  static void release(State& state, std::size_t place) {
    state.mshrs.release(state.ready[place]);
    state.ready.erase(state.ready.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void drain(State state) {
    while (!state.packets.empty() && !::testing::Test::HasFatalFailure()) arrive(state, state.packets.begin()->first);
    while (!state.ready.empty()) release(state, 0);
    for (const u32 loads : state.waiting) ASSERT_EQ(loads, 0u);
    ASSERT_EQ(state.mshrs.used(), 0u);
  }

  template <class Action>
  void step(const State& from, Action action) {
    if (::testing::Test::HasFatalFailure()) return;
    State next = from;
    action(next);
    u32 all = 0;
    for (u32 set = 0; set < sets_; ++set) all += used(next, set);
    ASSERT_EQ(next.mshrs.used(), all);
    visit(next);
  }

  void visit(const State& state) {
    u64 key = 0;
    for (u32 entry = 0; entry < geometry_.entries; ++entry) {
      key = key * 4096;
      if (state.mshrs.isFree(entry)) continue;
      const Mshrs::Entry& each = state.mshrs[entry];
      const u64 waits = state.mshrs.isWaiting(entry) ? 8 + each.block : 0;
      key += (waits * 4 + (waits ? each.packet : 0)) * 16 + (waits ? each.hyper : 1) * 3 + each.loads;
    }
    if (known_.insert(key).second) open_.push_back(state);
  }

  Geometry geometry_;
  u32 sets_;
  std::vector<State> open_;
  std::unordered_set<u64> known_;
};

std::size_t statesOf(const Geometry& geometry) {
  Explorer explorer(geometry);
  explorer.run();
  return explorer.states();
}

// The numbers of states are what was found; another number means that the rules have changed.
TEST(ElasticMshrExploration, ThreeMshrs) { EXPECT_EQ(statesOf({.entries = 3, .secondaries = 2, .ways = 3}), 21'909u); }
TEST(ElasticMshrExploration, FourMshrsOfOneLoad) { EXPECT_EQ(statesOf({.entries = 4, .secondaries = 1, .ways = 4}), 30'568u); }
TEST(ElasticMshrExploration, TwoSetsOfTwoMshrs) { EXPECT_EQ(statesOf({.entries = 4, .secondaries = 2, .ways = 2}), 54'901u); }

}  // namespace
}  // namespace warpwright::mechanisms::elastic_mshr
