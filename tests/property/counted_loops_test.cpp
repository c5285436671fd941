// Loops with counted iterations, unrolled, against the one-lane oracle on the loops as they were written: every comparison, steps up and
// down, bounds that are constants or known at run time, and variables that wrap around.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "experiment.hpp"

namespace warpwright {
namespace {

using testing::Budgets;
using testing::expectAsOracle;
using testing::lastSeed;

constexpr u32 kLoopOutputBytes = 64;  // 16 words a thread
constexpr u32 kMostIterations = 80;

// Threads begin and end apart, by their number modulo 8.
struct Counter {
  std::string type = "s32", compare = "lt";
  bool comparesNext = true, negated = false;
  u64 start = 0, bound = 0;
  s64 step = 1;
  u64 startByThread = 0, boundByThread = 0;  // 0 and 0: all constants

  u32 bits() const { return type.ends_with("64") ? 64 : 32; }
  u64 cut(u64 value) const { return bits() == 32 ? static_cast<u32>(value) : value; }

  bool holds(u64 a, u64 b) const {
    const auto ordered = [&](auto x, auto y) {
      return compare == "lt" ? x < y : compare == "le" ? x <= y : compare == "gt" ? x > y : compare == "ge" ? x >= y : x != y;
    };
    if (type == "s32") return ordered(static_cast<s32>(a), static_cast<s32>(b));
    if (type == "s64") return ordered(static_cast<s64>(a), static_cast<s64>(b));
    return ordered(cut(a), cut(b));
  }

  u32 iterations(u64 thread) const {
    u64 value = cut(start + thread * startByThread);
    const u64 end = cut(bound + thread * boundByThread);
    for (u32 count = 1; count <= kMostIterations; ++count) {
      const u64 next = cut(value + static_cast<u64>(step));
      if (!holds(comparesNext ? next : value, end)) return count;
      value = next;
    }
    return kMostIterations + 1;
  }
  bool ends() const {
    for (u64 thread = 0; thread < 8; ++thread)
      if (iterations(thread) > kMostIterations) return false;
    return true;
  }
};

class RandomLoop {
 public:
  explicit RandomLoop(u64 seed) : random_(seed) {}

  std::string program() {
    Counter counter = pickCounter();
    while (!counter.ends()) counter = pickCounter();
    return kernel(counter);
  }

 private:
  template <class T, std::size_t N>
  T pick(const T (&list)[N]) {
    return list[random_() % N];
  }

  Counter pickCounter() {
    Counter counter;
    counter.type = pick<const char*>({"s32", "u32", "s64", "u64"});
    counter.compare = pick<const char*>({"lt", "le", "gt", "ge", "ne"});
    counter.comparesNext = random_() % 4 != 0;
    counter.negated = random_() % 4 == 0;
    counter.step = pick<s64>({1, 1, -1, 2, -2, 3, -4, 7, 256, -1000});
    const u64 top = u64{1} << (counter.bits() - 1);
    counter.start = counter.cut(pick<u64>({0, 5, top, top - 9, top + 9, ~u64{0} - 20, random_()}));
    const u64 rounds = random_() % 60;
    counter.bound = counter.cut(counter.start + static_cast<u64>(counter.step) * rounds + random_() % 3 - 1);
    if (random_() % 3 == 0) return counter;
    counter.startByThread = random_() % 2 * static_cast<u64>(counter.step);
    counter.boundByThread = static_cast<u64>(counter.step) * (random_() % 7);
    return counter;
  }

  std::string value(const Counter& counter, const std::string& name, u64 constant, u64 byThread) const {
    const u32 bits = counter.bits();
    std::string text = fmt::format("  mov.u{0} {1}, {2};\n", bits, name, counter.cut(constant));
    if (counter.startByThread != 0 || counter.boundByThread != 0)
      text += fmt::format("  mul.lo.u{0} {1}x, {3}, {2};\n  add.u{0} {1}, {1}, {1}x;\n", bits, name, counter.cut(byThread),
                          bits == 64 ? "%t64" : "%t32");
    return text;
  }

  std::string body() {
    std::string text;
    for (u32 i = 0, count = 1 + random_() % 5; i < count; ++i) text += statement(i);
    return text;
  }

  std::string statement(u32 number) {
    switch (random_() % 8) {
      case 0:
        return "  mad.lo.u32 %sum, %sum, 5, %i32;\n";
      case 1:
        return "  and.b32 %x, %i32, 15;\n  mad.wide.u32 %at, %x, 4, %in;\n  ld.global.u32 %x, [%at];\n  xor.b32 %sum, %sum, %x;\n";
      case 2:
        return "  and.b32 %x, %i32, 7;\n  mad.wide.u32 %at, %x, 4, %out;\n  st.global.u32 [%at], %sum;\n";
      case 3:
        return "  ld.global.u32 %x, [%out+12];\n  add.u32 %sum, %sum, %x;\n";
      case 4:
        return "  setp.lt.s32 %q, %sum, 0;\n  @%q add.u32 %other, %other, %i32;\n";
      case 5:
        return fmt::format(
            "  and.b32 %x, %sum, 4;\n  setp.eq.u32 %q, %x, 0;\n  @%q bra SKIP{0};\n  add.u32 %sum, %sum, %other;\nSKIP{0}:\n", number);
      case 6:
        return "  mul.lo.u32 %x, %g, %t32;\n  xor.b32 %other, %other, %x;\n";
      default:
        return "  add.u64 %walk, %walk, 24;\n  cvt.u32.u64 %x, %walk;\n  xor.b32 %other, %other, %x;\n";
    }
  }

  std::string kernel(const Counter& counter) {
    const u32 bits = counter.bits();
    const std::string add = fmt::format("  add.{} %i, %i, {};\n", counter.type, counter.step);
    const std::string compare =
        fmt::format("  setp.{}.{} %p, %i, %n;\n{}", counter.compare, counter.type, counter.negated ? "  not.pred %p, %p;\n" : "");
    const std::string outer = random_() % 3 == 0 ? "OUTER:\n" : "";
    std::string text = fmt::format(
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 in)\n{{\n"
        "  .reg .b32 %sum, %other, %x, %i32, %t32, %g, %round;\n  .reg .b64 %at, %in, %out, %walk, %t64;\n  .reg .pred %p, %q;\n"
        "  .reg .b{} %i, %ix, %n, %nx;\n"
        "  mov.u32 %g, %ctaid.x;\n  mov.u32 %x, %ntid.x;\n  mov.u32 %t32, %tid.x;\n  mad.lo.u32 %g, %g, %x, %t32;\n"
        "  ld.param.u64 %in, [in];\n  mad.wide.u32 %in, %g, {}, %in;\n  ld.param.u64 %out, [out];\n  mad.wide.u32 %out, %g, {}, %out;\n"
        "  and.b32 %t32, %t32, 7;\n  cvt.u64.u32 %t64, %t32;\n  mov.u64 %walk, 1000;\n  mov.u32 %sum, 1;\n  mov.u32 %other, 7;\n"
        "  st.global.u32 [%out+12], %g;\n  mov.u32 %round, 0;\n",
        bits, testing::kInputBytes, kLoopOutputBytes);
    text += outer + value(counter, "%n", counter.bound, counter.boundByThread) + value(counter, "%i", counter.start, counter.startByThread);
    text += "LOOP:\n" + std::string(bits == 32 ? "  mov.b32 %i32, %i;\n" : "  cvt.u32.u64 %i32, %i;\n");
    text += counter.comparesNext ? body() + add + compare : compare + body() + add;
    text += fmt::format("  @{}%p bra LOOP;\n", counter.negated ? "!" : "");
    if (!outer.empty()) text += "  add.u32 %round, %round, 1;\n  setp.lt.u32 %q, %round, 3;\n  @%q bra OUTER;\n";
    text += fmt::format(
        "  st.global.u32 [%out+32], %sum;\n  st.global.u32 [%out+36], %other;\n  st.global.u64 [%out+40], %walk;\n  st.global.u{} "
        "[%out+48], %i;\n  ret;\n}}\n",
        bits);
    return text;
  }

  std::mt19937_64 random_;
};

TEST(CountedLoops, RunAsOftenAsTheOracleSays) {
  for (u64 seed = 1; seed <= lastSeed(1, 400); ++seed) {
    const Budgets budgets = seed % 8 == 0 ? Budgets{16} : Budgets{};
    ASSERT_NO_FATAL_FAILURE(expectAsOracle(RandomLoop(seed).program(), kLoopOutputBytes, seed, budgets));
  }
}

}  // namespace
}  // namespace warpwright
