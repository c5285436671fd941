// Functions with arguments and results of every size, aggregates among them and more than the argument registers hold, called directly,
// through pointers, under guards, in loops and recursively, against the one-lane oracle, where everything is passed in memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "experiment.hpp"

namespace warpwright {
namespace {

using testing::Budgets;
using testing::expectAsOracle;
using testing::Experiment;
using testing::lastSeed;

constexpr u32 kCallOutputBytes = 48;
constexpr u32 kValues = 8;     // %v0 …: 32 bits
constexpr u32 kLongs = 4;      // %w0 …: 64 bits
constexpr u32 kFunctions = 4;  // f0 calls itself, the others those before them

// A parameter or a result. Arrays of bytes are aggregates.
struct Slot {
  u32 bytes = 4, alignment = 4;
  bool isArray = false;

  std::string declare(const std::string& name) const {
    return isArray ? fmt::format(".param .align {} .b8 {}[{}]", alignment, name, bytes) : fmt::format(".param .b{} {}", 8 * bytes, name);
  }
};

struct Signature {
  std::vector<Slot> parameters;
  std::vector<Slot> results;  // none or one

  std::string declare(const std::string& name, const std::string& parameter, const std::string& result) const {
    std::string list;
    for (u32 i = 0; i < parameters.size(); ++i)
      list += (i == 0 ? "" : ", ") + parameters[i].declare(parameter == "_" ? "_" : fmt::format("{}{}", parameter, i));
    return (results.empty() ? "" : "(" + results[0].declare(result) + ") ") + name + " (" + list + ")";
  }
};

class RandomCalls {
 public:
  explicit RandomCalls(u64 seed) : random_(seed) {}

  std::string program() {
    std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n";
    for (u32 f = 0; f < kFunctions; ++f) {
      signatures_.push_back(pickSignature(f == 0));
      text += function(f);
    }
    return text + kernel();
  }

 private:
  u32 below(u32 limit) { return static_cast<u32>(random_() % limit); }
  std::string value() { return fmt::format("%v{}", below(kValues)); }
  std::string wide() { return fmt::format("%w{}", below(kLongs)); }

  Slot pickSlot() {
    switch (below(6)) {
      case 0:
        return {8, 8, false};
      case 1:
        return {1, 1, false};
      case 2:
        return {2, 2, false};
      case 3: {
        const u32 alignment = 4u << below(3);
        return {alignment * (1 + below(3)), alignment, true};
      }
      default:
        return {4, 4, false};
    }
  }

  // The first parameter of a function that calls itself counts down.
  Signature pickSignature(bool recursive) {
    Signature signature;
    if (recursive) signature.parameters.push_back({4, 4, false});
    for (u32 i = 0, count = below(5) == 0 ? 16 : below(6); i < count; ++i) signature.parameters.push_back(pickSlot());
    if (below(5) != 0) signature.results.push_back(pickSlot());
    return signature;
  }

  // Whole words, then a few bytes and halves of them.
  std::string store(const Slot& slot, const std::string& name) {
    if (!slot.isArray) {
      if (slot.bytes == 8) return fmt::format("  st.param.b64 [{}], {};\n", name, wide());
      return fmt::format("  st.param.b{} [{}], {};\n", 8 * slot.bytes, name, slot.bytes == 4 ? value() : "%h");
    }
    std::string text;
    for (u32 at = 0; at < slot.bytes; at += 4) text += fmt::format("  st.param.b32 [{}+{}], {};\n", name, at, value());
    if (slot.alignment >= 8 && below(2) == 0) text += fmt::format("  st.param.b64 [{}+{}], {};\n", name, slot.bytes - 8, wide());
    if (below(2) == 0) text += fmt::format("  st.param.b8 [{}+{}], %h;\n", name, below(slot.bytes));
    if (below(2) == 0) text += fmt::format("  st.param.b16 [{}+{}], %h;\n", name, 2 * below(slot.bytes / 2));
    return text;
  }

  std::string load(const Slot& slot, const std::string& name, bool mayTakeAddress) {
    const std::string to = value();
    if (!slot.isArray) {
      if (slot.bytes == 8) return fmt::format("  ld.param.b64 {}, [{}];\n", wide(), name);
      const char kind = below(2) == 0 ? 'u' : 's';
      if (slot.bytes == 4) return fmt::format("  ld.param.b32 {}, [{}];\n", to, name);
      return fmt::format("  ld.param.{0}{1} %h, [{2}];\n  cvt.{0}32.{0}{1} {3}, %h;\n", kind, 8 * slot.bytes, name, to);
    }
    const u32 at = 4 * below(slot.bytes / 4);
    if (mayTakeAddress && below(6) == 0) return fmt::format("  mov.b64 %a, {};\n  ld.param.b32 {}, [%a+{}];\n", name, to, at);
    if (below(3) == 0) return fmt::format("  ld.param.u8 %h, [{}+{}];\n  cvt.u32.u16 {}, %h;\n", name, below(slot.bytes), to);
    if (slot.alignment >= 8 && below(3) == 0) return fmt::format("  ld.param.v2.b32 {{{}, %x}}, [{}+{}];\n", to, name, slot.bytes - 8);
    return fmt::format("  ld.param.b32 {}, [{}+{}];\n", to, name, at);
  }

  std::string call(u32 callee, const std::string& guard) {
    const Signature& signature = signatures_[callee];
    const u32 number = calls_++;
    std::string text = "  {\n", arguments, result = signature.results.empty() ? "" : "(r0), ";
    for (u32 i = 0; i < signature.parameters.size(); ++i) {
      text += "  " + signature.parameters[i].declare(fmt::format("p{}", i)) + ";\n";
      arguments += fmt::format("{}p{}", i == 0 ? "" : ", ", i);
    }
    if (!signature.results.empty()) text += "  " + signature.results[0].declare("r0") + ";\n";
    for (u32 i = 0; i < signature.parameters.size(); ++i) {
      const bool counts = callee == 0 && i == 0;
      text += counts ? "  st.param.b32 [p0], %down;\n" : store(signature.parameters[i], fmt::format("p{}", i));
    }
    if (below(3) == 0)
      text += fmt::format("  mov.u64 %a, f{};\n  proto{}: .callprototype {};\n  {}call {}%a, ({}), proto{};\n", callee, number,
                          signature.declare("_", "_", "_"), guard, result, arguments, number);
    else
      text += fmt::format("  {}call {}f{}, ({});\n", guard, result, callee, arguments);
    if (!signature.results.empty() && guard.empty()) text += load(signature.results[0], "r0", false);
    return text + "  }\n";
  }

  std::string mix() {
    switch (below(4)) {
      case 0:
        return fmt::format("  mad.lo.u32 {}, {}, 5, {};\n", value(), value(), value());
      case 1:
        return fmt::format("  cvt.u64.u32 %wx, {};\n  xor.b64 {}, {}, %wx;\n", value(), wide(), wide());
      case 2:
        return fmt::format("  cvt.u32.u64 %x, {};\n  add.u32 {}, {}, %x;\n", wide(), value(), value());
      default:
        return fmt::format("  cvt.u16.u32 %h, {};\n  setp.gt.s32 %p, {}, {};\n", value(), value(), value());
    }
  }

  std::string registers() const {
    std::string text = fmt::format(
        "  .reg .b32 %v<{}>, %x, %down, %t, %g, %round;\n  .reg .b64 %w<{}>, %wx, %a, %in, %out;\n  .reg .b16 %h;\n  .reg .pred %p, %q;\n",
        kValues, kLongs);
    for (u32 v = 0; v < kValues; ++v) text += fmt::format("  mov.u32 %v{}, {};\n", v, 17 * v + 3);
    for (u32 w = 0; w < kLongs; ++w) text += fmt::format("  mov.u64 %w{}, {};\n", w, 0x123456789 * (w + 1));
    return text + "  mov.u16 %h, 77;\n  setp.eq.u32 %p, %v0, %v1;\n";
  }

  std::string function(u32 f) {
    const Signature& signature = signatures_[f];
    const bool calls = f != 0;
    std::string text = ".func " + signature.declare(fmt::format("f{}", f), "a", "rv") + "\n{\n" + registers();
    text += f == 0 ? "  ld.param.b32 %down, [a0];\n" : "  mov.u32 %down, 1;\n";
    for (u32 i = 0, count = 6 + below(10); i < count; ++i) {
      const u32 choice = below(8);
      if (choice < 4 && !signature.parameters.empty()) {
        const u32 parameter = below(static_cast<u32>(signature.parameters.size()));
        text += load(signature.parameters[parameter], fmt::format("a{}", parameter), true);
      } else if (choice == 4 && calls) {
        text += call(below(f), "");
      } else {
        text += mix();
      }
    }
    if (f == 0) {
      text += "  setp.eq.u32 %q, %down, 0;\n  sub.u32 %down, %down, 1;\n  @%q bra DONE;\n" + call(0, "") + mix() + "DONE:\n";
    }
    if (!signature.results.empty()) {
      text += store(signature.results[0], "rv");
      if (below(2) == 0) text += "  @%p ret;\n" + mix() + store(signature.results[0], "rv");
    }
    return text + "  ret;\n}\n";
  }

  std::string kernel() {
    std::string text = ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n" + registers();
    text += fmt::format(
        "  mov.u32 %g, %ctaid.x;\n  mov.u32 %x, %ntid.x;\n  mov.u32 %t, %tid.x;\n  mad.lo.u32 %g, %g, %x, %t;\n"
        "  ld.param.u64 %in, [in];\n  mad.wide.u32 %in, %g, {}, %in;\n  ld.param.u64 %out, [out];\n  mad.wide.u32 %out, %g, {}, %out;\n"
        "  and.b32 %down, %t, 3;\n  mov.u32 %round, 0;\n",
        testing::kInputBytes, kCallOutputBytes);
    for (u32 v = 0; v < kValues; ++v) text += fmt::format("  ld.global.u32 %v{}, [%in+{}];\n", v, 4 * v);
    text += "AGAIN:\n";
    for (u32 i = 0, count = 3 + below(4); i < count; ++i) text += mix() + call(below(kFunctions), below(4) == 0 ? "@%p " : "");
    text += "  add.u32 %round, %round, 1;\n  setp.lt.u32 %q, %round, 2;\n  @%q bra AGAIN;\n";
    for (u32 v = 0; v < 4; ++v)
      text += fmt::format("  add.u32 %v{0}, %v{0}, %v{1};\n  st.global.u32 [%out+{2}], %v{0};\n", v, v + 4, 4 * v);
    for (u32 w = 0; w < kLongs; ++w) text += fmt::format("  st.global.u64 [%out+{}], %w{};\n", 16 + 8 * w, w);
    return text + "  ret;\n}\n";
  }

  std::mt19937_64 random_;
  std::vector<Signature> signatures_;
  u32 calls_ = 0;
};

TEST(Calls, PassWhatTheOraclePasses) {
  for (u64 seed = 1; seed <= lastSeed(1, 40); ++seed) {
    const Budgets budgets = seed % 4 == 0 ? Budgets{40, 24} : Budgets{};
    ASSERT_NO_FATAL_FAILURE(expectAsOracle(RandomCalls(seed).program(), kCallOutputBytes, seed, budgets));
  }
}

void expectSameAtEveryBudget(u64 seed) {
  const std::string ptx = RandomCalls(seed).program();
  Experiment experiment(ptx, 64, kCallOutputBytes, {}, seed);
  const std::vector<u8> oracle = experiment.runOracle();
  u32 registers = 48;
  for (bool compiles = true; compiles; --registers) {
    try {
      ASSERT_EQ(experiment.runMachine({.maxRegisters = registers, .verify = true}), oracle)
          << registers << " registers, seed " << seed << "\n"
          << ptx;
    } catch (const Error&) {
      compiles = false;
    }
  }
  EXPECT_LE(registers + 2, 20u) << "seed " << seed;
}

// What a call names has registers of its own: with fewer than those, a function cannot be compiled.
TEST(Calls, EveryRegisterBudget) {
  for (u64 seed = 201; seed <= lastSeed(201, 202); ++seed) ASSERT_NO_FATAL_FAILURE(expectSameAtEveryBudget(seed));
}

// In seed 209, nothing writes some words of a call that follows another one with a result.
TEST(Calls, WordsThatNothingWritesAreNotSavedAcrossCalls) { ASSERT_NO_FATAL_FAILURE(expectSameAtEveryBudget(209)); }

}  // namespace
}  // namespace warpwright
