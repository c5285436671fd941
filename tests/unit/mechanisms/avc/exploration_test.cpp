// Every state that a small affine vector cache, first-level cache and memory can be in, found by trying every access with every mask, and
// every eviction, in every state that was found: in each of them, each word reads as in a flat memory.
#include <gtest/gtest.h>

#include <bit>
#include <unordered_set>

#include "unit/mechanisms/avc/memory_model.hpp"

namespace warpwright::mechanisms::avc::test {
namespace {

constexpr u32 kMostLanes = 4, kMostAddresses = 2;

// Each word has one of two values: those of the first row make an affine vector, those of the second fit together nowhere, nor with the
// first. With one active lane any value is encoded, so that a vector can be encoded in several ways.
constexpr u32 kValues[2][kMostLanes] = {{0, 1, 2, 3}, {8, 3, 13, 6}};

u32 bitOf(u32 value, u32 lane) { return value == kValues[1][lane] ? 1 : 0; }

// One of the two vectors' words for each lane, as bits.
struct Place {
  u32 valid = 0;
  bool dirty = false;
  VectorForm form;      // affine vector cache
  bool isHeld = false;  // in the first-level cache
  u32 sectorsValid = 0, sectorsDirty = 0, words = 0;
  bool isBelow = false;
  CompactBelow::Place below;
  u32 memory = 0, flat = 0;
};
using State = std::array<Place, kMostAddresses>;

class Explorer {
 public:
  Explorer(const Geometry& geometry, u32 addresses, u32 lanes, std::size_t level1Lines)
      : addresses_(addresses), lanes_(lanes), model_(geometry, lanes, 2, level1Lines) {}

  void run() {
    visit(State{});
    for (; !open_.empty() && !::testing::Test::HasFatalFailure();) {
      const State state = open_.back();
      open_.pop_back();
      tryAll(state);
    }
  }

  std::size_t states() const { return known_.size(); }

 private:
  static GlobalAddress addressOf(u32 index) { return GlobalAddress(u64{index} * kVectorBytes); }
  u32 allLanes() const { return (1u << lanes_) - 1; }

  void tryAll(const State& state) {
    for (u32 index = 0; index < addresses_; ++index) {
      const GlobalAddress address = addressOf(index);
      step(state, [&](State&) { model_.evictVector(address); });
      step(state, [&](State&) { model_.evictLine(address); });
      step(state, [&](State&) { model_.evictLevel1(address); });
      for (u32 mask = 1; mask <= allLanes(); ++mask) {
        step(state, [&](State& next) { read(address, mask, next[index].flat); });
        for (const u32 bits : {0u, mask}) step(state, [&](State& next) { write(address, mask, bits, next[index]); });
      }
    }
  }

  void read(GlobalAddress address, u32 mask, u32 flat) {
    const Words words = model_.read(address, mask);
    for (u32 lane = 0; lane < lanes_; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      ASSERT_EQ(words[lane], kValues[flat >> lane & 1][lane]) << "lane " << lane;
    }
  }

  void write(GlobalAddress address, u32 mask, u32 bits, Place& place) {
    Words words{};
    for (u32 lane = 0; lane < lanes_; ++lane) words[lane] = kValues[bits >> lane & 1][lane];
    model_.write(address, mask, words);
    place.flat = (place.flat & ~mask) | bits;
  }

  template <class Action>
  void step(const State& from, Action action) {
    if (::testing::Test::HasFatalFailure()) return;
    load(from);
    State next = from;
    action(next);
    save(next);
    for (u32 index = 0; index < addresses_; ++index) {
      for (u32 lane = 0; lane < lanes_; ++lane)
        ASSERT_EQ(model_.view(addressOf(index), lane), kValues[next[index].flat >> lane & 1][lane]) << "in lane " << lane;
    }
    visit(next);
  }

  void load(const State& state) {
    Evictions ignored;
    model_.avc.evictAll(ignored);
    ignored.clear();
    model_.level1.clear();
    model_.below.clear();
    for (u32 index = 0; index < addresses_; ++index) {
      const Place& place = state[index];
      const VectorEncoding encoding{.succeeded = true, .form = place.form};
      if (place.isBelow) model_.below.keep({addressOf(index), place.below.valid(), place.below.form, true, true});
      if (place.valid != 0 && place.dirty) model_.avc.write(addressOf(index), place.valid, encoding, ignored);
      if (place.valid != 0 && !place.dirty) model_.avc.fill(addressOf(index), place.valid, encoding, ignored);
      for (u32 lane = 0; lane < lanes_; ++lane) model_.memory[addressOf(index)][lane] = kValues[place.memory >> lane & 1][lane];
      if (!place.isHeld) continue;
      Level1Line& line = model_.level1[addressOf(index)];
      line.valid = place.sectorsValid;
      line.dirty = place.sectorsDirty;
      for (u32 lane = 0; lane < lanes_; ++lane) line.words[lane] = kValues[place.words >> lane & 1][lane];
    }
  }

  // All but `flat`.
  void save(State& state) {
    for (u32 index = 0; index < addresses_; ++index) {
      const GlobalAddress address = addressOf(index);
      Place& place = state[index];
      place = {.flat = place.flat};
      const AffineVectorCache::Vector vector = model_.avc.vector(address);
      if (vector.valid != 0) place = {.valid = vector.valid, .dirty = vector.dirty, .form = vector.form, .flat = place.flat};
      for (u32 lane = 0; lane < lanes_; ++lane) place.memory |= bitOf(model_.memory[address][lane], lane) << lane;
      if (const CompactBelow::Place* below = model_.below.place(address)) {
        place.isBelow = true;
        place.below = *below;
      }
      const auto line = model_.level1.find(address);
      if (line == model_.level1.end()) continue;
      place.isHeld = true;
      place.sectorsValid = line->second.valid;
      place.sectorsDirty = line->second.dirty;
      for (u32 lane = 0; lane < lanes_; ++lane) {
        if (place.sectorsValid >> lane / 2 & 1) place.words |= bitOf(line->second.words[lane], lane) << lane;
      }
    }
  }

  // A form is told by its value in the first lane of the mask and whether it is uniform.
  static u64 keyOf(WordMask valid, const VectorForm& form) {
    if (valid == 0) return 0;
    return (form.at(static_cast<u32>(std::countr_zero(valid))) & 15) << 5 |
           u64{form.parts[0].log2Stride == values::CompactForm::kUniform} << 4 | valid;
  }

  void visit(const State& state) {
    Key keys{};
    for (u32 index = 0; index < kMostAddresses; ++index) {
      const Place& place = state[index];
      u64& key = keys[index];
      key = keyOf(place.valid, place.form) << 9 | (place.isBelow ? keyOf(place.below.valid(), place.below.form) : 0);
      key = key << 1 | place.dirty;
      key = key << 2 | place.sectorsValid;
      key = key << 2 | place.sectorsDirty;
      key = key << 4 | place.words;
      key = key << 4 | place.memory;
      key = key << 4 | place.flat;
    }
    if (known_.insert(keys).second) open_.push_back(state);
  }

  using Key = std::array<u64, kMostAddresses>;
  struct HashOfKey {
    std::size_t operator()(const Key& key) const { return key[0] * 0x9e37'79b9'7f4a'7c15 ^ key[1]; }
  };

  u32 addresses_, lanes_;
  MemoryModel model_;
  std::vector<State> open_;
  std::unordered_set<Key, HashOfKey> known_;
};

std::size_t statesOf(const Geometry& geometry, u32 addresses, u32 lanes, std::size_t level1Lines) {
  Explorer explorer(geometry, addresses, lanes, level1Lines);
  explorer.run();
  return explorer.states();
}

Geometry placesOf(u32 vectorsPerLine) { return {.bytes = vectorsPerLine * kPlaceBytes, .ways = 1, .vectorsPerLine = vectorsPerLine}; }

Geometry keptBelow(Geometry geometry) {
  geometry.compressedBelow = true;
  return geometry;
}

// The numbers of states are what was found; another number means that the protocol has changed.
TEST(Exploration, OneVectorOfFourLanes) { EXPECT_EQ(statesOf(placesOf(1), 1, 4, 1), 7'199u); }
TEST(Exploration, TwoVectorsOfThreeLanesThatShareAPlace) { EXPECT_EQ(statesOf(placesOf(1), 2, 3, 1), 30'632u); }
TEST(Exploration, TwoVectorsOfALine) { EXPECT_EQ(statesOf(placesOf(2), 2, 2, 2), 4'624u); }
TEST(Exploration, OneVectorThatStaysEncodedBelow) { EXPECT_EQ(statesOf(keptBelow(placesOf(1)), 1, 4, 1), 32'959u); }
TEST(Exploration, TwoVectorsThatShareAPlaceAndStayEncodedBelow) { EXPECT_EQ(statesOf(keptBelow(placesOf(1)), 2, 2, 2), 28'615u); }
// Half a minute in all: a test of its own, mechanisms.avc-exploration, runs them.
TEST(Exploration, DISABLED_TwoVectorsOfALineThatStayEncodedBelow) { EXPECT_EQ(statesOf(keptBelow(placesOf(2)), 2, 2, 2), 73'984u); }
TEST(Exploration, DISABLED_TwoVectorsOfFourLanesThatShareAPlace) { EXPECT_EQ(statesOf(placesOf(1), 2, 4, 1), 564'912u); }

}  // namespace
}  // namespace warpwright::mechanisms::avc::test
