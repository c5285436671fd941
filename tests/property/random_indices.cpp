#include "random_indices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "random.hpp"

namespace warpwright::testing {
namespace {

// A 32-bit register, and the least and the most that it holds as a signed number.
struct Value {
  std::string reg;
  s64 least = 0, most = 0;

  bool isNatural() const { return least >= 0; }
};

class IndexGenerator {
 public:
  explicit IndexGenerator(u64 seed) : random_(seed) {}

  std::string run() {
    start();
    for (u32 i = 0, count = 6 + random_.below(14); i < count; ++i) addValue();
    for (u32 i = 0; i < 4; ++i) load(anyValue());
    loop();
    return ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 base, .param .u32 n)\n{\n" +
           fmt::format("  .reg .b32 %r<{}>;\n  .reg .b64 %d<{}>;\n  .reg .b16 %h<{}>;\n  .reg .pred %p<{}>;\n  .reg .b32 %sink;\n", words_,
                       longs_, halves_, predicates_) +
           out_ + "  st.shared.u32 [room], %sink;\n  ret;\n}\n";
  }

 private:
  template <class... T>
  void line(fmt::format_string<T...> text, T&&... values) {
    out_ += "  ";
    fmt::format_to(std::back_inserter(out_), text, std::forward<T>(values)...);
    out_ += '\n';
  }
  std::string word() { return fmt::format("%r{}", words_++); }
  std::string pair() { return fmt::format("%d{}", longs_++); }
  const Value& anyValue() { return values_[random_.below(static_cast<u32>(values_.size()))]; }

  void start() {
    line(".shared .align 4 .b8 room[4];");
    line("mov.u32 %sink, 0;");
    line("ld.param.u64 %d0, [base];");
    longs_ = 1;
    const std::pair<const char*, s64> places[] = {{"%tid.x", kIndexBlock.x - 1},  {"%tid.x", kIndexBlock.x - 1},
                                                  {"%tid.y", kIndexBlock.y - 1},  {"%tid.z", kIndexBlock.z - 1},
                                                  {"%ctaid.x", kIndexGrid.x - 1}, {"%ctaid.y", kIndexGrid.y - 1}};
    for (const auto& [name, most] : places) {
      values_.push_back({word(), 0, most});
      line("mov.u32 {}, {};", values_.back().reg, name);
    }
    values_.push_back({word(), kIndexBlock.x, kIndexBlock.x});
    line("mov.u32 {}, %ntid.x;", values_.back().reg);
    values_.push_back({word(), 1, 64});
    line("ld.param.u32 {}, [n];", values_.back().reg);
  }

  // What is beyond the bounds is computed for nothing.
  void keep(Value value) {
    if (value.least < -kMostIndex || value.most > kMostIndex) return;
    values_.push_back(std::move(value));
  }

  void addValue() {
    const Value a = anyValue(), b = anyValue();
    switch (random_.below(16)) {
      case 0:
      case 1:
        return sum(a, b);
      case 2:
        return difference(a, b);
      case 3:
      case 4:
        return product(a, b);
      case 5:
        return shiftLeft(a);
      case 6:
      case 7:
        return shiftRight(a);
      case 8:
      case 9:
        return mask(a);
      case 10:
        return join(a, b);
      case 11:
        return divide(a);
      case 12:
        return choose(a, b);
      case 13:
        return narrow(a);
      case 14:
        return butterfly(a);
      default:
        return least(a, b);
    }
  }

  void sum(const Value& a, const Value& b) {
    const Value result{word(), a.least + b.least, a.most + b.most};
    line("add.s32 {}, {}, {};", result.reg, a.reg, b.reg);
    keep(result);
  }
  void difference(const Value& a, const Value& b) {
    const Value result{word(), a.least - b.most, a.most - b.least};
    line("sub.s32 {}, {}, {};", result.reg, a.reg, b.reg);
    keep(result);
  }
  void product(const Value& a, const Value& b) {
    const Value result{word(), 0, 0};
    const bool isNumber = random_.chance(60);
    const s64 number = static_cast<s64>(random_.below(19)) - 3;
    const s64 ends[4] = {a.least * (isNumber ? number : b.least), a.least * (isNumber ? number : b.most),
                         a.most * (isNumber ? number : b.least), a.most * (isNumber ? number : b.most)};
    line("mul.lo.s32 {}, {}, {};", result.reg, a.reg, isNumber ? std::to_string(number) : b.reg);
    keep({result.reg, *std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)});
  }
  void shiftLeft(const Value& a) {
    const u32 bits = random_.below(5);
    const Value result{word(), a.least << bits, a.most << bits};
    line("shl.b32 {}, {}, {};", result.reg, a.reg, bits);
    keep(result);
  }
  // Of a negative number, the upper bits of a large one.
  void shiftRight(const Value& a) {
    const bool isLarge = !a.isNatural() && random_.chance(50);
    const u32 bits = isLarge ? 24 + random_.below(8) : random_.below(6);
    const Value result{word(), isLarge ? 0 : a.least >> bits, isLarge ? s64{0xffffffff} >> bits : a.most >> bits};
    line("shr.{} {}, {}, {};", isLarge || a.isNatural() ? "u32" : "s32", result.reg, a.reg, bits);
    keep(result);
  }
  void mask(const Value& a) {
    const u32 bits = 1 + random_.below(6);
    const bool isHigh = random_.chance(40);
    const s64 number = isHigh ? ~((s64{1} << bits) - 1) : random_.chance(70) ? (s64{1} << bits) - 1 : s64{random_.below(200)};
    const Value result{word(), isHigh ? a.least - 64 : 0, isHigh ? a.most : number};
    line("and.b32 {}, {}, {};", result.reg, a.reg, static_cast<s32>(number));
    keep(result);
  }
  void join(const Value& a, const Value& b) {
    if (!a.isNatural() || !b.isNatural()) return negate(a);
    const bool isNumber = random_.chance(60);
    const u32 number = random_.below(9);
    const u64 most = static_cast<u64>(a.most) | (isNumber ? number : static_cast<u64>(b.most));
    const Value result{word(), 0, static_cast<s64>(std::bit_ceil(most + 1)) - 1};
    line("{} {}, {}, {};", random_.chance(50) ? "or.b32" : "xor.b32", result.reg, a.reg, isNumber ? std::to_string(number) : b.reg);
    keep(result);
  }
  void negate(const Value& a) {
    const bool isNot = random_.chance(50);
    const Value result{word(), -a.most - isNot, -a.least - isNot};
    line("{} {}, {};", isNot ? "not.b32" : "neg.s32", result.reg, a.reg);
    keep(result);
  }
  void divide(const Value& a) {
    if (!a.isNatural()) return negate(a);
    const u32 number = random_.chance(60) ? 1U << random_.below(5) : 1 + random_.below(12);
    const bool isRest = random_.chance(40);
    const Value result{word(), 0, isRest ? number - 1 : a.most / number};
    line("{} {}, {}, {};", isRest ? "rem.u32" : "div.u32", result.reg, a.reg, number);
    keep(result);
  }
  void choose(const Value& a, const Value& b) {
    const u32 predicate = predicates_++;
    const Value result{word(), std::min(a.least, b.least), std::max(a.most, b.most)};
    line("setp.lt.s32 %p{}, {}, {};", predicate, anyValue().reg, random_.below(9));
    line("selp.b32 {}, {}, {}, %p{};", result.reg, a.reg, b.reg, predicate);
    keep(result);
  }
  // A product in 16 bits, of which what does not fit is lost.
  void narrow(const Value& a) {
    const u32 half = halves_++, factor = 1 + random_.below(9000);
    const bool fits = a.isNatural() && a.most * factor < 65536;
    const Value result{word(), fits ? a.least * factor : 0, fits ? a.most * factor : 65535};
    line("cvt.u16.u32 %h{}, {};", half, a.reg);
    line("mul.lo.u16 %h{}, %h{}, {};", half, half, factor);
    line("cvt.u32.u16 {}, %h{};", result.reg, half);
    keep(result);
  }
  void butterfly(const Value& a) {
    if (!a.isNatural()) return negate(a);
    const s64 stride = s64{1} << random_.below(7);
    const std::string low = word(), high = word();
    const Value result{word(), 0, 2 * a.most + stride};
    line("and.b32 {}, {}, {};", low, a.reg, stride - 1);
    line("sub.s32 {}, {}, {};", high, a.reg, low);
    line("shl.b32 {}, {}, 1;", high, high);
    line("add.s32 {}, {}, {};", result.reg, high, low);
    keep(result);
  }
  void least(const Value& a, const Value& b) {
    const Value result{word(), std::min(a.least, b.least), std::min(a.most, b.most)};
    line("min.s32 {}, {}, {};", result.reg, a.reg, b.reg);
    keep(result);
  }

  std::string address(const Value& index) {
    const std::string offset = pair(), result = pair();
    switch (random_.below(4)) {
      case 0:
        line("mul.wide.s32 {}, {}, 4;", offset, index.reg);
        break;
      case 1:
        line("cvt.s64.s32 {}, {};", offset, index.reg);
        line("shl.b64 {}, {}, 2;", offset, offset);
        break;
      case 2:
        line("cvt.{} {}, {};", index.isNatural() ? "u64.u32" : "s64.s32", offset, index.reg);
        line("mul.lo.s64 {}, {}, 4;", offset, offset);
        break;
      default:
        return addressByWords(index);
    }
    line("add.s64 {}, {}, %d0;", result, offset);
    return result;
  }
  std::string addressByWords(const Value& index) {
    if (!index.isNatural()) {
      const std::string result = pair();
      line("mad.wide.s32 {}, {}, 4, %d0;", result, index.reg);
      return result;
    }
    const std::string scaled = word(), low = word(), high = word(), result = pair();
    line("shl.b32 {}, {}, 2;", scaled, index.reg);
    line("mov.b64 {{{}, {}}}, %d0;", low, high);
    line("add.cc.u32 {}, {}, {};", low, low, scaled);
    line("addc.u32 {}, {}, 0;", high, high);
    line("mov.b64 {}, {{{}, {}}};", result, low, high);
    return result;
  }

  void load(const Value& index) { loadFrom(address(index)); }
  void loadFrom(const std::string& address) {
    const std::string loaded = word();
    line("ld.global.u32 {}, [{}];", loaded, address);
    line("xor.b32 %sink, %sink, {};", loaded);
  }

  // An address and two indices that go on by steps, which are not always the same number, alone and together: before their updates, between
  // them, and behind the loop.
  void loop() {
    const Value first = anyValue(), second = anyValue();
    const std::string one = word(), two = word(), before = word(), sum = word(), counter = word(), at = address(first);
    const s64 step = static_cast<s64>(random_.below(64)) - 20, other = static_cast<s64>(random_.below(32));
    const bool isConditional = random_.chance(20);
    const u32 done = predicates_++, odd = predicates_++;
    const std::string rounds = random_.chance(50) ? "5" : values_[random_.below(6)].reg;
    line("mov.u32 {}, {};", one, first.reg);
    line("mov.u32 {}, {};", two, second.reg);
    line("mul.lo.s32 {}, {}, 3;", before, one);
    line("mov.u32 {}, 0;", counter);
    out_ += "L:\n";
    loadFrom(at);
    load(unbounded(one));
    line("add.s64 {}, {}, {};", at, at, 4 * step);
    if (isConditional) line("setp.gt.s32 %p{}, {}, 2;", odd, values_.front().reg);
    line("{}add.s32 {}, {}, {};", isConditional ? fmt::format("@%p{} ", odd) : "", one, one, step);
    line("add.s32 {}, {}, {};", sum, one, two);
    load(unbounded(sum));
    line("add.s32 {}, {}, {};", two, two, other);
    line("add.s32 {}, {}, {};", sum, before, two);
    load(unbounded(sum));
    line("add.s32 {}, {}, 1;", counter, counter);
    line("setp.lt.s32 %p{}, {}, {};", done, counter, rounds);
    line("@%p{} bra L;", done);
    load(unbounded(one));
    line("add.s32 {}, {}, {};", sum, sum, one);
    load(unbounded(sum));
  }
  // Small enough all the same.
  static Value unbounded(const std::string& reg) { return {reg, -kMostIndex, kMostIndex}; }

  Random random_;
  std::string out_;
  std::vector<Value> values_;
  u32 words_ = 0, longs_ = 0, halves_ = 0, predicates_ = 0;
};

}  // namespace

std::string randomIndices(u64 seed) { return IndexGenerator(seed).run(); }

}  // namespace warpwright::testing
