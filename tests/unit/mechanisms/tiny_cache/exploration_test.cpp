// Every state that a small cache can be in, found by trying every access and every eviction in every state that was found. What it does is
// held against a description without states or control bits: which granules of a line are there, which are dirty, and what was used when.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "mechanisms/tiny_cache/lane_cache.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

// One set of two ways for three lines of three words and one more.
constexpr Geometry kGeometry{.lines = 2, .ways = 2, .lineBytes = 16, .granuleBytes = 4};
constexpr u64 kAllGranules = 0xf, kLines = 3;

struct Described {
  struct Held {
    u64 there = 0, dirty = 0;
    auto operator<=>(const Held&) const = default;
  };
  std::map<u64, Held> lines{};
  std::vector<u64> used{};  // lines, that used last at the end

  void use(u64 line) {
    std::erase(used, line);
    used.push_back(line);
  }
  auto operator<=>(const Described&) const = default;
};

struct Known {
  LaneCache cache{kGeometry};
  Described described{};
};

class Explorer {
 public:
  void run() {
    visit({});
    while (!open_.empty() && !::testing::Test::HasFailure()) {
      const Known state = open_.back();
      open_.pop_back();
      for (u64 line = 0; line < kLines; ++line) {
        for (u64 granules = 1; granules <= kAllGranules; ++granules) {
          step(state, line, granules, false);
          step(state, line, granules, true);
        }
        drop(state, line);
      }
    }
  }
  std::size_t states() const { return known_.size(); }
  const std::set<Event>& events() const { return events_; }

 private:
  static Event expected(const Described& described, u64 line, u64 granules, bool isWrite) {
    const auto found = described.lines.find(line);
    if (found == described.lines.end()) return isWrite ? Event::writeMiss : Event::readMiss;
    const u64 there = found->second.there;
    const bool isThere = (granules & ~there) == 0;
    if (!isWrite) return isThere ? Event::readHit : Event::readInvalid;
    if (isThere) return Event::writeHit;
    return (there | granules) == kAllGranules ? Event::writeLast : Event::writeInvalid;
  }

  void step(const Known& from, u64 line, u64 granules, bool isWrite) {
    Known next = from;
    const Event event = expected(from.described, line, granules, isWrite);
    events_.insert(event);
    const LineName name = LineName::global(line);
    const LaneCache::Outcome outcome = isWrite ? next.cache.write(name, granules) : next.cache.read(name, granules);
    ASSERT_EQ(outcome.event, event) << "line " << line << ", granules " << granules << (isWrite ? ", write" : ", read");
    Described& described = next.described;
    const bool makesRoom = misses(event) && described.lines.size() == kGeometry.lines;
    ASSERT_EQ(outcome.victim.has_value(), makesRoom);
    if (makesRoom) {
      const u64 oldest = described.used.front();
      ASSERT_EQ(outcome.victim->line.name, LineName::global(oldest));
      ASSERT_EQ(outcome.victim->line.dirty(), described.lines[oldest].dirty);
      described.lines.erase(oldest);
      std::erase(described.used, oldest);
    }
    Described::Held& held = described.lines[line];
    held.there |= fetches(event) ? kAllGranules : isWrite ? granules : 0;
    if (isWrite) held.dirty |= granules;
    described.use(line);
    visit(next);
  }

  void drop(const Known& from, u64 line) {
    Known next = from;
    const u32 entry = next.cache.find(LineName::global(line));
    const auto found = next.described.lines.find(line);
    ASSERT_EQ(entry != LaneCache::kNone, found != next.described.lines.end());
    if (entry == LaneCache::kNone) return;
    ASSERT_EQ(next.cache.take(entry).dirty(), found->second.dirty);
    next.described.lines.erase(found);
    std::erase(next.described.used, line);
    visit(next);
  }

  void visit(const Known& state) {
    if (!known_.insert(state.described).second) return;
    for (const auto& [line, held] : state.described.lines) {
      const Line& is = state.cache.line(state.cache.find(LineName::global(line)));
      const State wanted = held.there != kAllGranules ? State::partlyValid : held.dirty != 0 ? State::valid : State::clean;
      ASSERT_EQ(is.state, wanted);
      ASSERT_EQ(is.dirty(), held.dirty);
      for (u64 granules = 1; granules <= kAllGranules; ++granules) ASSERT_EQ(is.isValid(granules), (granules & ~held.there) == 0);
    }
    open_.push_back(state);
  }

  std::set<Described> known_;
  std::vector<Known> open_;
  std::set<Event> events_;
};

// A line is clean, all there with one of 15 sets of granules dirty, or partly there with one of 14, all dirty: 30 states. Nothing held, one
// of three lines, or two of them in either order of use: 1 + 3 * 30 + 6 * 30 * 30 states.
TEST(TinyCacheExploration, OfOneSet) {
  Explorer explorer;
  explorer.run();
  EXPECT_EQ(explorer.states(), 1u + 3 * 30 + 6 * 30 * 30);
  EXPECT_EQ(explorer.events().size(), 7u);
}

}  // namespace
}  // namespace warpwright::mechanisms::tiny_cache
