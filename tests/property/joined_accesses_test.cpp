// Neighbouring accesses to shared, local and constant memory, joined where alignment allows, against the one-lane oracle on the accesses as
// they were written: in any order, aligned or not, overlapping, guarded, through several bases.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "experiment.hpp"

namespace warpwright {
namespace {

using testing::Budgets;
using testing::expectAsOracle;
using testing::lastSeed;

constexpr u32 kAccessOutputBytes = 16;
constexpr u32 kStoredValues = 8;  // registers %v0 …
constexpr u32 kRegionBytes = 64;  // that a thread accesses through a base
constexpr u32 kThreadBytes = 96;  // of shared and of local memory

class RandomAccesses {
 public:
  explicit RandomAccesses(u64 seed) : random_(seed) {}

  std::string program() {
    // The second base of each memory lies 0 to 24 bytes behind the first, so that runs of both may overlap.
    const u32 shift = 4 * (random_() % 7);
    const u64 scales[] = {2 + random_() % 3, 2 + random_() % 3};
    const std::string fixed = constants();
    std::string text = fmt::format(
        ".version 7.0\n.target sm_70\n.address_size 64\n.const .align 16 .b32 fixed[16] = {{{}}};\n"
        ".visible .entry k(.param .u64 out, .param .u64 in)\n{{\n"
        "  .shared .align 16 .b8 shared[{}];\n  .local .align 16 .b8 local[{}];\n"
        "  .reg .b32 %t, %x, %g, %sum, %v<{}>, %s<2>, %l<2>, %c;\n  .reg .b64 %in, %out, %pair, %generic;\n  .reg .pred %p<2>;\n"
        "  mov.u32 %t, %tid.x;\n  mov.u32 %g, %ctaid.x;\n  mov.u32 %x, %ntid.x;\n  mad.lo.u32 %g, %g, %x, %t;\n"
        "  ld.param.u64 %in, [in];\n  mad.wide.u32 %in, %g, {}, %in;\n  ld.param.u64 %out, [out];\n  mad.wide.u32 %out, %g, {}, %out;\n"
        "  mov.u32 %s0, shared;\n  mad.lo.u32 %s0, %t, {}, %s0;\n  add.u32 %s1, %s0, {};\n"
        "  mov.u32 %l0, local;\n  and.b32 %x, %t, 1;\n  shl.b32 %x, %x, {};\n  add.u32 %l1, %l0, %x;\n"
        "  cvt.u64.u32 %generic, %l0;\n  cvta.local.u64 %generic, %generic;\n  and.b32 %c, %t, 3;\n  shl.b32 %c, %c, {};\n"
        "  mov.u32 %x, fixed;\n  add.u32 %c, %c, %x;\n",
        fixed, 96 * kThreadBytes, kThreadBytes, kStoredValues, testing::kInputBytes, kAccessOutputBytes, kThreadBytes, shift, scales[0],
        scales[1]);
    for (u32 p = 0; p < 2; ++p) text += fmt::format("  ld.global.u32 %x, [%in+{}];\n  setp.gt.s32 %p{}, %x, 40;\n", 4 * p, p);
    for (u32 v = 0; v < kStoredValues; ++v) text += fmt::format("  ld.global.u32 %v{}, [%in+{}];\n", v, 8 + 4 * v);
    for (u32 at = 0; at < kThreadBytes; at += 4)
      text += fmt::format("  st.shared.u32 [%s0+{0}], %v{1};\n  st.local.u32 [%l0+{0}], %v{1};\n", at, random_() % kStoredValues);
    for (u32 i = 0; i < 30; ++i) text += statement(i);
    return text + sumOfAll() + "  st.global.u32 [%out], %sum;\n  ret;\n}\n";
  }

 private:
  std::string constants() {
    std::string text;
    for (u32 i = 0; i < 16; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", static_cast<u32>(random_()));
    return text;
  }

  // Braces draw from left to right with every compiler, arguments of a call in any order.
  std::string statement(u32 number) {
    const u64 values[] = {random_() % kStoredValues, random_() % kStoredValues, random_() % kStoredValues};
    switch (random_() % 10) {
      case 0:
        return fmt::format("  xor.b32 %v{0}, %v{0}, %v{1};\n  @%p0 bra SKIP{2};\n  add.u32 %v{0}, %v{0}, 3;\nSKIP{2}:\n", values[0],
                           values[1], number);
      case 1:
        return fmt::format("  mad.lo.u32 %v{}, %v{}, 3, %v{};\n", values[0], values[1], values[2]);
      case 2:
        return "  bar.sync 0;\n";
      default:
        return neighbours();
    }
  }

  // Two to six accesses, most of them neighbours in random order.
  std::string neighbours() {
    const bool loads = random_() % 2 == 0;
    const u32 kind = random_() % (loads ? 6 : 5);
    const std::string space = kind < 2 ? ".shared" : kind < 4 ? ".local" : kind == 4 ? "" : ".const";
    const std::string base = kind < 2    ? fmt::format("%s{}", kind)
                             : kind < 4  ? fmt::format("%l{}", kind - 2)
                             : kind == 4 ? "%generic"
                                         : "%c";
    const bool guarded = random_() % 3 == 0, alike = random_() % 2 == 0;
    const u64 predicate = random_() % 2;
    const u32 limit = kind == 5 ? 16 : kRegionBytes, begin = 4 * (random_() % (limit / 4)), count = 2 + random_() % 5;
    std::vector<u32> offsets;
    for (u32 i = 0; i < count; ++i) offsets.push_back((random_() % 8 == 0 ? 4 * (random_() % 16) : begin + 4 * i) % limit);
    std::shuffle(offsets.begin(), offsets.end(), random_);
    std::string text;
    for (const u32 offset : offsets) {
      const std::string guard = guarded ? fmt::format("@%p{} ", alike ? predicate : random_() % 2) : "";
      text += access(loads, space, base, guard, offset);
    }
    return text;
  }

  std::string access(bool loads, const std::string& space, const std::string& base, const std::string& guard, u32 offset) {
    const std::string address = fmt::format("[{}+{}]", base, offset);
    const std::string value = fmt::format("%v{}", random_() % kStoredValues);
    return "  " + guard +
           (loads ? fmt::format("ld{}.u32 {}, {};\n", space, value, address) : fmt::format("st{}.u32 {}, {};\n", space, address, value));
  }

  std::string sumOfAll() {
    std::string text = "  mov.u32 %sum, 0;\n";
    const auto add = [&](const std::string& value) { text += fmt::format("  mad.lo.u32 %sum, %sum, 31, {};\n", value); };
    for (u32 v = 0; v < kStoredValues; ++v) add(fmt::format("%v{}", v));
    for (u32 at = 0; at < kThreadBytes; at += 4) {
      text += fmt::format("  ld.shared.u32 %x, [%s0+{}];\n", at);
      add("%x");
      text += fmt::format("  ld.local.u32 %x, [%l0+{}];\n", at);
      add("%x");
    }
    return text;
  }

  std::mt19937_64 random_;
};

TEST(JoinedAccesses, MoveWhatTheOracleMoves) {
  for (u64 seed = 1; seed <= lastSeed(1, 120); ++seed) {
    const Budgets budgets = seed % 8 == 0 ? Budgets{16} : Budgets{};
    ASSERT_NO_FATAL_FAILURE(expectAsOracle(RandomAccesses(seed).program(), kAccessOutputBytes, seed, budgets));
  }
}

}  // namespace
}  // namespace warpwright
