#include "compiler/schedule/dependences.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "compiler/control_flow.hpp"
#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;

using Dependences = std::vector<std::vector<Dependence>>;

Dependences dependencesOf(const MachineFunction& function) {
  const ControlFlow flow = buildControlFlow(function);
  EXPECT_EQ(flow.blocks.size(), 1u);
  return findDependences(function, flow.blocks[0], Liveness(function, flow));
}

std::size_t countDependences(const Dependences& dependences) {
  std::size_t count = 0;
  for (const auto& list : dependences) count += list.size();
  return count;
}

// Per instruction: those that come after it, by any number of steps.
std::vector<std::vector<bool>> closureOf(const Dependences& dependences) {
  const std::size_t count = dependences.size();
  std::vector<std::vector<bool>> after(count, std::vector<bool>(count));
  for (std::size_t i = count; i-- > 0;)
    for (const Dependence& dependence : dependences[i]) {
      after[i][dependence.to] = true;
      for (std::size_t j = 0; j < count; ++j)
        if (after[dependence.to][j]) after[i][j] = true;
    }
  return after;
}

// One block of accesses at a few addresses, so that many of them conflict, and of walls; and what must keep its order there.
class RandomAccesses {
 public:
  explicit RandomAccesses(u32 seed) : random_(seed) {
    for (Operand& base : bases_) base = b.pair();
    const u32 spaces = 1 + random_() % 5, bases = 1 + random_() % bases_.size(), walls = random_() % 2;
    for (u32 i = 0; i < 60; ++i) step(spaces, random_() % bases, walls);
    b.exit();
    places_.emplace_back().isFullWall = true;
  }

  bool areAccesses(u32 i, u32 j) const { return places_[i].isAccess && places_[j].isAccess; }
  bool mustKeepOrder(u32 i, u32 j) const {
    const Place &a = places_[i], &c = places_[j];
    if (a.isFullWall || c.isFullWall) return true;
    if (a.isWall || c.isWall) return !a.isArithmetic && !c.isArithmetic;
    if (!areAccesses(i, j)) return false;
    if (!a.isStore && !c.isStore) return false;
    if (a.isTexture || c.isTexture) return a.isTexture && c.isTexture;
    if (a.space != c.space) return a.space == Space::generic || c.space == Space::generic;
    if (a.isUnknown || c.isUnknown || a.base != c.base || a.version != c.version) return true;
    return a.first <= c.last && c.first <= a.last;
  }

  MachineBuilder b;

 private:
  struct Place {
    bool isFullWall = false, isWall = false, isArithmetic = false;
    bool isAccess = false, isStore = false, isTexture = false, isUnknown = false;
    Space space = Space::generic;
    u32 base = 0, version = 0;
    s64 first = 0, last = 0;  // bytes
  };

  void step(u32 spaces, u32 base, u32 walls) {
    Place& place = places_.emplace_back();
    if (random_() % 16 == 0) {
      ++versions_[base];
      place.isArithmetic = true;
      b.emit(Opcode::mov, DataType::u64, {bases_[base]}, {b.number(0)});
      return;
    }
    if (walls != 0 && random_() % 16 == 0) {
      place.isWall = true;
      place.isFullWall = random_() % 4 == 0;
      b.emit(place.isFullWall ? Opcode::brkpt : Opcode::fence, DataType::u32, {}, {});
      return;
    }
    place.isAccess = true;
    place.isTexture = random_() % 16 == 0;
    place.isStore = random_() % 2 == 0;
    if (place.isTexture) {
      if (place.isStore)
        b.emit(Opcode::sust, DataType::u32, {}, {b.number(0), b.number(0), b.number(0)});
      else
        b.emit(Opcode::suld, DataType::u32, {b.word()}, {b.number(0), b.number(0)});
      return;
    }
    const bool wide = random_() % 4 == 0;
    const u32 elements = wide ? 1 : 1 << random_() % 3;
    const DataType type = wide ? DataType::u64 : DataType::u32;
    MachineInstruction& access =
        place.isStore ? b.emit(Opcode::st, type, {}, {bases_[base], b.number(0)}) : b.emit(Opcode::ld, type, {b.vector(4)}, {bases_[base]});
    access.vector = static_cast<u8>(elements);
    access.offset = 4 * static_cast<s64>(random_() % 6);
    access.addsFrame = place.isUnknown = random_() % 16 == 0;
    access.modifiers.space = place.space =
        std::array{Space::global, Space::global, Space::shared, Space::generic, Space::local}[random_() % spaces];
    place.base = base;
    place.version = versions_[base];
    place.first = access.offset;
    place.last = access.offset + 4 * elements * (wide ? 2 : 1) - 1;
  }

  std::mt19937 random_;
  std::array<Operand, 4> bases_;
  std::array<u32, 4> versions_{};
  std::vector<Place> places_;
};

TEST(Dependences, AccessesThatMayOverlapKeepTheirOrderAndNoOthers) {
  for (u32 seed = 0; seed < 1000; ++seed) {
    RandomAccesses accesses(seed);
    const Dependences dependences = dependencesOf(accesses.b.function);
    const auto after = closureOf(dependences);
    for (u32 i = 0; i < dependences.size(); ++i) {
      for (u32 j = i + 1; j < dependences.size(); ++j)
        ASSERT_TRUE(after[i][j] || !accesses.mustKeepOrder(i, j)) << "seed " << seed << ": " << j << " may go before " << i;
      for (const auto& [to, latency] : dependences[i])
        ASSERT_TRUE(!accesses.areAccesses(i, to) || accesses.mustKeepOrder(i, to))
            << "seed " << seed << ": " << i << " needlessly before " << to;
    }
  }
}

struct Pattern {
  const char* name;
  u32 loadBases, storeBases;
  Space loads, stores;
};

// Long blocks of the usual kinds: elements computed in place or elsewhere, gathered, scattered.
TEST(Dependences, GrowWithTheBlock) {
  const u32 count = 2000;
  for (const Pattern& pattern :
       {Pattern{"copy", 1, 1, Space::global, Space::global}, Pattern{"gather", count, 1, Space::global, Space::global},
        Pattern{"scatter", 1, count, Space::global, Space::global},
        Pattern{"gather and scatter", count, count, Space::global, Space::global},
        Pattern{"gather by generic addresses", count, count, Space::generic, Space::shared},
        Pattern{"scatter by generic addresses", count, count, Space::shared, Space::generic}}) {
    MachineBuilder b;
    std::vector<Operand> from, to;
    for (u32 i = 0; i < pattern.loadBases; ++i) from.push_back(b.pair());
    for (u32 i = 0; i < pattern.storeBases; ++i) to.push_back(b.pair());
    const auto access = [&](MachineInstruction& instruction, Space space, u32 i) {
      instruction.modifiers.space = space;
      instruction.offset = 4 * i;
    };
    for (u32 i = 0; i < count; ++i) {
      const Operand value = b.word();
      access(b.emit(Opcode::ld, DataType::u32, {value}, {from[i % from.size()]}), pattern.loads, i);
      access(b.emit(Opcode::st, DataType::u32, {}, {to[i % to.size()], value}), pattern.stores, i);
    }
    b.exit();
    EXPECT_LT(countDependences(dependencesOf(b.function)), 6 * b.function.code.size()) << pattern.name;
  }
}

// As ptxas, whose divisions have a branch inside: a load behind one stays behind it, one before it before; arithmetic moves.
TEST(Dependences, NoAccessMovesAcrossADivisionWithABranch) {
  const auto isWall = [](DataType type, bool isApproximate) {
    MachineBuilder b;
    const auto load = [&] {
      MachineInstruction& access = b.emit(Opcode::ld, DataType::u32, {b.word()}, {b.pair()});
      access.modifiers.space = Space::global;
    };
    const bool isDouble = type == DataType::f64;
    const Operand value = isDouble ? b.pair() : b.word(), sum = b.word();
    load();
    b.emit(Opcode::div, type, {value}, {value, value}).modifiers.accuracy =
        isApproximate ? isa::Accuracy::approximate : isa::Accuracy::ieee;
    load();
    b.add(sum, sum, sum);
    b.exit();
    const auto after = closureOf(dependencesOf(b.function));
    EXPECT_FALSE(after[1][3]) << "an addition of other registers";
    EXPECT_EQ(after[0][1], after[1][2]) << "the load before it, and the one behind";
    return after[1][2];
  };
  EXPECT_TRUE(isWall(DataType::f32, false));
  EXPECT_TRUE(isWall(DataType::f64, false));
  EXPECT_FALSE(isWall(DataType::f32, true)) << "some instructions without a branch";
  EXPECT_FALSE(isWall(DataType::u32, false)) << "the same";
}

}  // namespace
}  // namespace warpwright::compiler
