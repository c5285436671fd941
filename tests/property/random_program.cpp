#include "random_program.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <array>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

#include "random.hpp"

namespace warpwright::testing {
namespace {

constexpr std::array<std::string_view, 12> kIntegerBinary = {"add.s32", "sub.s32", "mul.lo.s32", "mul.hi.u32", "mul.hi.s32", "min.s32",
                                                             "max.u32", "and.b32", "or.b32",     "xor.b32",    "div.u32",    "rem.s32"};
constexpr std::array<std::string_view, 9> kLongBinary = {"add.s64", "sub.s64", "mul.lo.s64", "mul.hi.u64", "min.s64",
                                                         "max.u64", "and.b64", "or.b64",     "xor.b64"};
constexpr std::array<std::string_view, 8> kFloatBinary = {"add.f32",    "sub.f32", "mul.f32", "add.rz.f32",
                                                          "mul.rp.f32", "min.f32", "max.f32", "div.rn.f32"};
constexpr std::array<std::string_view, 6> kDoubleBinary = {"add.f64", "sub.f64", "mul.f64", "add.rm.f64", "min.f64", "max.f64"};
constexpr std::array<std::string_view, 6> kShift = {"shl.b32 r", "shr.u32 r", "shr.s32 r", "shl.b64 d", "shr.u64 d", "shr.s64 d"};
constexpr std::array<std::string_view, 6> kIntegerUnary = {"neg.s32", "abs.s32", "not.b32", "popc.b32", "clz.b32", "brev.b32"};
constexpr std::array<std::string_view, 6> kCompareInteger = {"eq", "ne", "lt", "le", "gt", "ge"};
constexpr std::array<std::string_view, 8> kCompareFloat = {"eq", "lt", "gtu", "neu", "num", "nan", "ge", "leu"};

// Fills in the parts, which stand in braces: these evaluate them from left to right. Arguments of a call are evaluated in an order of each
// compiler's own, and so would give a seed another program.
std::string text(std::string_view pattern, const std::vector<std::string>& parts) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const std::string& part : parts) store.push_back(std::cref(part));
  return fmt::vformat(pattern, store);
}

class ProgramGenerator {
 public:
  ProgramGenerator(u64 seed, const RandomProgramOptions& options) : random_(seed), options_(options) {}

  std::string program() {
    out_ = fmt::format(".version 7.0\n.target sm_70\n.address_size {}\n", options_.addressBits);
    if (options_.calls) functions();
    out_ += ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n";
    declarations();
    prologue();
    for (u32 block = 0; block < options_.blocks; ++block) basicBlock(block);
    epilogue();
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  void line(const std::string& statement) { out_ += "  " + statement + "\n"; }
  std::string reg(char file) { return fmt::format("%{}{}", file, random_.below(options_.registersPerType)); }
  std::string guard() {
    if (!random_.chance(20)) return "";
    return text("@{}%p{} ", {random_.chance(50) ? "!" : "", fmt::to_string(random_.below(options_.registersPerType))});
  }

  void functions() {
    out_ += R"(.func (.param .b32 result) mix(.param .b32 a, .param .b64 b)
{
  .reg .b32 %x<3>;
  .reg .b64 %y<2>;
  ld.param.u32 %x0, [a];
  ld.param.u64 %y0, [b];
  cvt.u32.u64 %x1, %y0;
  mad.lo.s32 %x2, %x0, 31, %x1;
  st.param.b32 [result], %x2;
  ret;
}
.func (.param .b32 result) depth(.param .b32 n)
{
  .reg .pred %p;
  .reg .b32 %x<4>;
  ld.param.u32 %x0, [n];
  and.b32 %x0, %x0, 7;
  setp.eq.u32 %p, %x0, 0;
  mov.u32 %x2, 5;
  @%p bra DONE;
  sub.u32 %x1, %x0, 1;
  {
    .param .b32 argument;
    .param .b32 value;
    st.param.b32 [argument], %x1;
    call (value), depth, (argument);
    ld.param.b32 %x2, [value];
  }
  mad.lo.u32 %x2, %x2, 3, %x0;
DONE:
  st.param.b32 [result], %x2;
  ret;
}
)";
  }

  void declarations() {
    const u32 n = options_.registersPerType;
    line(fmt::format(".reg .b32 %r<{}>;\n  .reg .b64 %d<{}>;\n  .reg .f32 %f<{}>;\n  .reg .f64 %g<{}>;\n  .reg .pred %p<{}>;", n, n, n, n,
                     n));
    line(".reg .b32 %t<8>;\n  .reg .b64 %a<6>;\n  .reg .pred %q;\n  .reg .b16 %h<2>;\n  .reg .b32 %fuel;");
    line(".local .align 8 .b8 scratch[64];\n  .reg .b64 %scratch;");
  }

  void prologue() {
    const std::string width = options_.addressBits == 64 ? "u64" : "u32";
    line("mov.u32 %t0, %tid.x;\n  mov.u32 %t1, %ctaid.x;\n  mov.u32 %t2, %ntid.x;\n  mad.lo.s32 %t0, %t1, %t2, %t0;");
    line(fmt::format("ld.param.u64 %a0, [out];\n  ld.param.u64 %a1, [in];\n  mul.wide.u32 %a2, %t0, {};\n  add.s64 %a0, %a0, %a2;",
                     outputBytes(options_)));
    line(fmt::format("mul.wide.u32 %a2, %t0, {};\n  add.s64 %a1, %a1, %a2;\n  mov.u32 %fuel, {};", kInputBytes, options_.fuel));
    for (u32 i = 0; i < options_.registersPerType; ++i) {
      line(load("u32", fmt::format("%r{}", i), i));
      line(load("u64", fmt::format("%d{}", i), i & ~1u));
      line(load("f32", fmt::format("%f{}", i), i + 3));
      line(load("f64", fmt::format("%g{}", i), (i * 2) & ~1u));
      line(fmt::format("setp.gt.s32 %p{}, %r{}, {};", i, i, static_cast<s32>(random_.next())));
    }
    for (u32 i = 0; i < 64; i += 8) line(fmt::format("st.local.u64 [scratch+{}], %d{};", i, i / 8 % options_.registersPerType));
  }

  std::string load(std::string_view type, const std::string& to, u32 word) {
    if (options_.addressBits == 64) return fmt::format("ld.global.{} {}, [%a1+{}];", type, to, word % kInputWords * 4);
    return fmt::format("cvt.u32.u64 %t7, %a1;\n  ld.global.{} {}, [%t7+{}];", type, to, word % kInputWords * 4);
  }

  void basicBlock(u32 number) {
    out_ += fmt::format("B{}:\n", number);
    line("sub.s32 %fuel, %fuel, 1;\n  setp.lt.s32 %q, %fuel, 0;\n  @%q bra EXIT;");
    for (u32 i = 0; i < options_.instructionsPerBlock; ++i) instruction();
    if (random_.chance(70))
      line(text("@{}%p{} bra B{};", {random_.chance(50) ? "!" : "", fmt::to_string(random_.below(options_.registersPerType)),
                                     fmt::to_string(random_.below(options_.blocks))}));
    if (random_.chance(10)) line(fmt::format("bra.uni B{};", random_.below(options_.blocks)));
    if (random_.chance(5)) line(fmt::format("@%p{} bra EXIT;", random_.below(options_.registersPerType)));
  }

  void instruction() {
    switch (random_.below(options_.calls ? 16 : 14)) {
      case 0:
      case 1:
        return line(text("{}{} {}, {}, {};", {guard(), random_.pick(kIntegerBinary), reg('r'), reg('r'), reg('r')}));
      case 2:
        return line(text("{}add.s32 {}, {}, {};", {guard(), reg('r'), reg('r'), fmt::to_string(static_cast<s32>(random_.next()))}));
      case 3:
        return line(text("{}{} {}, {}, {};", {guard(), random_.pick(kLongBinary), reg('d'), reg('d'), reg('d')}));
      case 4:
        return line(text("{}{} {}, {}, {};", {guard(), random_.pick(kFloatBinary), reg('f'), reg('f'), reg('f')}));
      case 5:
        return line(text("{}{} {}, {}, {};", {guard(), random_.pick(kDoubleBinary), reg('g'), reg('g'), reg('g')}));
      case 6:
        return line(text("{}fma.rn.f32 {}, {}, {}, {};", {guard(), reg('f'), reg('f'), reg('f'), reg('f')}));
      case 7:
        return shift();
      case 8:
        return line(text("{}{} {}, {};", {guard(), random_.pick(kIntegerUnary), reg('r'), reg('r')}));
      case 9:
        return compare();
      case 10:
        return convert();
      case 11:
        return line(text("{}selp.b32 {}, {}, {}, {};", {guard(), reg('r'), reg('r'), reg('r'), reg('p')}));
      case 12:
        return pack();
      case 13:
        return local();
      case 14:
        return callMix();
      default:
        return callDepth();
    }
  }

  void shift() {
    const std::string choice = random_.pick(kShift);
    const std::string opcode = choice.substr(0, choice.size() - 2);
    line(text("{}{} {}, {}, {};", {guard(), opcode, reg(choice.back()), reg(choice.back()), reg('r')}));
  }

  void compare() {
    if (random_.chance(50)) {
      line(text("{}setp.{}.s32 {}, {}, {};", {guard(), random_.pick(kCompareInteger), reg('p'), reg('r'), reg('r')}));
    } else if (random_.chance(50)) {
      line(text("{}setp.{}.f32 {}, {}, {};", {guard(), random_.pick(kCompareFloat), reg('p'), reg('f'), reg('f')}));
    } else {
      line(text("{}setp.{}.and.s64 {}, {}, {}, !{};", {guard(), random_.pick(kCompareInteger), reg('p'), reg('d'), reg('d'), reg('p')}));
    }
  }

  void convert() {
    switch (random_.below(6)) {
      case 0:
        return line(text("{}cvt.u64.u32 {}, {};", {guard(), reg('d'), reg('r')}));
      case 1:
        return line(text("{}cvt.u32.u64 {}, {};", {guard(), reg('r'), reg('d')}));
      case 2:
        return line(text("{}cvt.rn.f32.s32 {}, {};", {guard(), reg('f'), reg('r')}));
      case 3:
        return line(text("{}cvt.rzi.s32.f32 {}, {};", {guard(), reg('r'), reg('f')}));
      case 4:
        return line(text("{}cvt.rn.f32.f64 {}, {};", {guard(), reg('f'), reg('g')}));
      default:
        return line(text("{}cvt.s32.s8 {}, {};", {guard(), reg('r'), reg('r')}));
    }
  }

  void pack() {
    switch (random_.below(3)) {
      case 0:
        return line(text("{}mov.b64 {}, {{{}, {}}};", {guard(), reg('d'), reg('r'), reg('r')}));
      case 1:
        return line(text("{}mov.b64 {{{}, %t3}}, {};", {guard(), reg('r'), reg('d')}));
      default:
        line(fmt::format("mov.b32 {{%h0, %h1}}, {};", reg('r')));
        return line(fmt::format("mov.b32 {}, {{%h1, %h0}};", reg('r')));
    }
  }

  void local() {
    const u32 offset = random_.below(16) * 4;
    if (random_.chance(50)) return line(text("{}st.local.u32 [scratch+{}], {};", {guard(), fmt::to_string(offset), reg('r')}));
    if (random_.chance(50)) return line(text("{}ld.local.u32 {}, [scratch+{}];", {guard(), reg('r'), fmt::to_string(offset)}));
    // An address that differs between lanes.
    if (options_.addressBits == 64 && random_.chance(50)) return wideAddress();
    if (options_.addressBits == 64) {
      line(fmt::format("mov.u64 %scratch, scratch;\n  and.b32 %t4, {}, 60;\n  cvt.u64.u32 %a3, %t4;\n  add.s64 %a3, %scratch, %a3;",
                       reg('r')));
      return line(fmt::format("ld.local.u32 {}, [%a3];", reg('r')));
    }
    line(fmt::format("mov.u32 %t5, scratch;\n  and.b32 %t4, {}, 60;\n  add.s32 %t5, %t5, %t4;", reg('r')));
    line(fmt::format("ld.local.u32 {}, [%t5];", reg('r')));
  }

  // An address out of 64-bit arithmetic of which the low word is used, now and then with a part that depends on high words.
  void wideAddress() {
    static constexpr const char* kOperations[] = {"add.u64", "sub.u64", "mul.lo.u64", "xor.b64", "or.b64", "and.b64"};
    line(fmt::format("mov.u64 %scratch, scratch;\n  mov.u64 %a3, {};", reg('d')));
    for (u32 i = 0; i < 4; ++i) {
      if (random_.chance(15)) line(fmt::format("shl.b64 %a3, %a3, {};", random_.below(40)));
      if (random_.chance(15)) line(fmt::format("shr.u64 %a3, %a3, {};", random_.below(40)));
      if (random_.chance(15)) line(text("mad.wide.s32 %a3, {}, {}, %a3;", {reg('r'), reg('r')}));
      if (random_.chance(15)) line("neg.s64 %a3, %a3;");
      line(text("{} %a3, %a3, {};", {kOperations[random_.below(std::size(kOperations))], reg('d')}));
    }
    line("and.b64 %a3, %a3, 60;\n  add.s64 %a3, %scratch, %a3;");
    line(fmt::format("ld.local.u32 {}, [%a3];", reg('r')));
  }

  void callMix() {
    line(text("{{ .param .b32 p0; .param .b64 p1; .param .b32 r0;\n    st.param.b32 [p0], {};\n    st.param.b64 [p1], {};",
              {reg('r'), reg('d')}));
    line(fmt::format("  {}call (r0), mix, (p0, p1);\n    ld.param.b32 {}, [r0]; }}", "", reg('r')));
  }

  void callDepth() {
    line(text("{{ .param .b32 p0; .param .b32 r0;\n    st.param.b32 [p0], {};\n    call (r0), depth, (p0);\n    ld.param.b32 {}, [r0]; }}",
              {reg('r'), reg('r')}));
  }

  void epilogue() {
    out_ += "EXIT:\n";
    u32 offset = 0;
    const auto store = [&](std::string_view type, const std::string& value, u32 bytes) {
      if (options_.addressBits == 64) {
        line(fmt::format("st.global.{} [%a0+{}], {};", type, offset, value));
      } else {
        line(fmt::format("cvt.u32.u64 %t7, %a0;\n  st.global.{} [%t7+{}], {};", type, offset, value));
      }
      offset += bytes;
    };
    for (u32 i = 0; i < options_.registersPerType; ++i) store("u64", fmt::format("%d{}", i), 8);
    for (u32 i = 0; i < options_.registersPerType; ++i) store("f64", fmt::format("%g{}", i), 8);
    for (u32 i = 0; i < options_.registersPerType; ++i) store("u32", fmt::format("%r{}", i), 4);
    for (u32 i = 0; i < options_.registersPerType; ++i) store("f32", fmt::format("%f{}", i), 4);
    for (u32 i = 0; i < options_.registersPerType; ++i) {
      line(fmt::format("selp.u32 %t6, 1, 0, %p{};", i));
      store("u32", "%t6", 4);
    }
    line("ret;");
  }

  Random random_;
  RandomProgramOptions options_;
  std::string out_;
};

}  // namespace

std::string randomProgram(u64 seed, const RandomProgramOptions& options) { return ProgramGenerator(seed, options).program(); }

}  // namespace warpwright::testing
