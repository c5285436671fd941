#include "mechanisms/memoisation/routines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <vector>

#include "mechanisms/memoisation/table.hpp"

namespace warpwright::mechanisms::memoisation {
namespace {

using compiler::SkippableRegion;
using Lines = std::vector<std::string>;

constexpr u32 kWordBits = 32;
// Knuth, "The Art of Computer Programming", volume 3, section 6.4: the word's range divided by the golden ratio, made odd.
constexpr u32 kMultiplier = 0x9E3779B1;
// Tags made by hashing have it, and so are neither the 0 of an empty entry nor the 1 that says that results are known.
constexpr u32 kTagBit = 2;

// One region's.
class Routines {
 public:
  Routines(const Settings& settings, const SkippableRegion& region, u32 number)
      : settings_(settings),
        region_(region),
        number_(number),
        keys_(static_cast<u32>(region.keys.size())),
        shape_(shapeFor(settings, keys_, region.results)) {}

  std::string text() {
    std::string all = fmt::format("// Of kernel {}, line {}: {} instructions, of {} words, which give {}.\n", region_.kernel, region_.line,
                                  region_.instructions, keys_, region_.results);
    all += lookUp();
    for (u32 chunk = 0; chunk < shape_.chunks; ++chunk) all += update(chunk);
    return all;
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> text, Values&&... values) {
    lines_.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  // in, out: what the annotation says of parameters i0 … and results o0 ….
  std::string function(const std::string& name, const std::string& label, const Lines& in, const Lines& out) {
    const auto declared = [](const char* letter, std::size_t count) {
      Lines parameters;
      for (std::size_t i = 0; i < count; ++i) parameters.push_back(fmt::format(".param .b32 {}{}", letter, i));
      return fmt::format("{}", fmt::join(parameters, ", "));
    };
    std::string text = out.empty() ? ".visible .func " : fmt::format(".visible .func ({}) ", declared("o", out.size()));
    text += fmt::format("memoise_{}_{}({})\n", number_, name, declared("i", in.size()));
    text += fmt::format(".pragma \"assist on=label:{} priority=high in={}{}{} table={} group=memoise_{} kernel={}\";\n", label,
                        fmt::join(in, ","), out.empty() ? "" : " out=", fmt::join(out, ","), shape_.bytes(), number_, region_.kernel);
    text += fmt::format("{{\n  .reg .u32 %k<{}>, %v<{}>, %e<{}>, %h, %s, %a, %t, %x, %known, %place, %one;\n  .reg .pred %p, %q;\n",
                        kChunkWords, kChunkWords, kChunkWords * kMostChunks);
    for (const std::string& line : lines_) text += "  " + line + "\n";
    lines_.clear();
    return text + "  ret;\n}\n";
  }

  void loadWords(const char* registers, u32 first, u32 count) {
    for (u32 i = 0; i < count; ++i) add("ld.param.b32 %{}{}, [i{}];", registers, i, first + i);
  }

  // %a: of the set, behind the table's parameter; %t: the tag's first word.
  void addressFromKeys(u32 table) {
    const u32 kept = ~u32{0} << settings_.roundBits;
    for (u32 i = 0; i < keys_; ++i)
      if (settings_.roundBits != 0 && region_.keys[i].isSingle) add("and.b32 %k{0}, %k{0}, {1:#x};", i, kept);
    add("mul.lo.u32 %h, %k0, {:#x};", kMultiplier);
    for (u32 i = 1; i < keys_; ++i) {
      add("xor.b32 %h, %h, %k{};", i);
      add("mul.lo.u32 %h, %h, {:#x};", kMultiplier);
    }
    if (settings_.tags == Tags::full)
      add("not.b32 %t, %k0;");
    else
      add("or.b32 %t, %h, {};", kTagBit);
    addressFrom("%h", table);
  }
  void addressFrom(const char* hash, u32 table) {
    add("ld.param.b32 %a, [i{}];", table);
    if (shape_.sets == 1) return;
    add("shr.u32 %s, {}, {};", hash, kWordBits - std::countr_zero(shape_.sets));
    add("mad.lo.u32 %a, %s, {}, %a;", shape_.setBytes());
  }

  std::string lookUp() {
    Lines in, out;
    for (u32 i = 0; i < keys_; ++i) in.push_back("reg:" + region_.words[i]);
    in.push_back("table");
    for (u32 i = 0; i < region_.results; ++i) out.push_back("reg:" + region_.words[i]);
    out.push_back("reg:" + region_.known);
    out.push_back("count");
    loadWords("k", 0, keys_);
    addressFromKeys(keys_);
    for (u32 i = 0; i < region_.results; ++i) add("mov.u32 %v{}, 0;", i);
    add("mov.u32 %known, {};", settings_.tags == Tags::full ? "0" : "%t");
    for (u32 way = 0; way < shape_.ways; ++way) tryWay(way);
    for (u32 i = 0; i < region_.results; ++i) add("st.param.b32 [o{0}], %v{0};", i);
    add("st.param.b32 [o{}], %known;", region_.results);
    add("setp.eq.u32 %p, %known, 1;");
    add("selp.u32 %one, 1, 0, %p;");
    add("st.param.b32 [o{}], %one;", region_.results + 1);
    return function("look_up", region_.lookUpLabel, in, out);
  }

  // An entry that was never stored is all zero: a key whose first word is all ones is like it, and never found.
  void tryWay(u32 way) {
    if (settings_.tags == Tags::full) add("setp.ne.u32 %p, %t, 0;");
    for (u32 chunk = 0; chunk < shape_.chunks; ++chunk) {
      const u32 e = chunk * kChunkWords;
      add("ld.shared.v4.u32 {{%e{}, %e{}, %e{}, %e{}}}, [%a+{}];", e, e + 1, e + 2, e + 3, way * shape_.entryBytes() + chunk * kChunkBytes);
      add("xor.b32 %x, %e{}, %t;", e);
      for (u32 i = 1; i < shape_.tagWords; ++i) {
        add("xor.b32 %h, %e{}, %k{};", e + i, i);
        add("or.b32 %x, %x, %h;");
      }
      const bool isAlone = chunk == 0 && settings_.tags != Tags::full;
      if (isAlone)
        add("setp.eq.u32 %p, %x, 0;");
      else
        add("setp.eq.and.u32 %p, %x, 0, %p;");
    }
    for (u32 i = 0; i < region_.results; ++i) {
      const u32 chunk = i / shape_.resultsInChunk(), word = shape_.tagWords + i % shape_.resultsInChunk();
      add("selp.u32 %v{0}, %e{1}, %v{0}, %p;", i, chunk * kChunkWords + word);
    }
    add("selp.u32 %known, 1, %known, %p;");
  }

  std::string update(u32 chunk) {
    const u32 first = chunk * shape_.resultsInChunk(), count = std::min(region_.results - first, shape_.resultsInChunk());
    Lines in;
    if (settings_.tags == Tags::full)
      for (const compiler::RegionKey& key : region_.keys) in.push_back("reg:" + key.reg);
    else
      in.push_back("reg:" + region_.known);
    for (u32 i = 0; i < count; ++i) in.push_back("reg:" + region_.words[first + i]);
    in.push_back("table");
    loadWords("v", shape_.tagWords, count);
    if (settings_.tags == Tags::full) {
      loadWords("k", 0, keys_);
      addressFromKeys(shape_.tagWords + count);
    } else {
      add("ld.param.b32 %t, [i0];");
      addressFrom("%t", shape_.tagWords + count);
    }
    choosePlace(chunk);
    store(chunk, count);
    const Lines out = chunk == 0 ? Lines{"count"} : Lines{};
    if (chunk == 0) {
      add("mov.u32 %one, 1;");
      add("st.param.b32 [o0], %one;");
    }
    return function(chunk == 0 ? "update" : fmt::format("update_{}", chunk), region_.updateLabel, in, out);
  }

  bool hasNoChoice() const { return shape_.ways == 1 && settings_.replacement == Replacement::newest; }

  // %a: of the way, and %q: whether there is one. Chunks behind the first go where that has gone; where another has taken the place since,
  // they go nowhere.
  void choosePlace(u32 chunk) {
    if (hasNoChoice()) return;
    constexpr u32 kNowhere = ~u32{0};
    add("mov.u32 %place, {:#x};", kNowhere);
    if (chunk == 0 && settings_.replacement == Replacement::newest) {
      add("mov.u32 %x, %clock;");
      add("and.b32 %x, %x, {};", shape_.ways - 1);
      add("mul.lo.u32 %place, %x, {};", shape_.entryBytes());
    }
    for (u32 way = 0; way < shape_.ways; ++way) add("ld.shared.u32 %e{}, [%a+{}];", way, way * shape_.entryBytes());
    for (u32 way = 0; way < shape_.ways && chunk == 0; ++way) takeWhere("0", way);
    for (u32 way = 0; way < shape_.ways; ++way) takeWhere("%t", way);
    add("setp.ne.u32 %q, %place, {:#x};", kNowhere);
    add("add.u32 %a, %a, %place;");
  }
  void takeWhere(const char* tag, u32 way) {
    add("setp.eq.u32 %p, %e{}, {};", way, tag);
    add("selp.u32 %place, {}, %place, %p;", way * shape_.entryBytes());
  }

  void store(u32 chunk, u32 count) {
    Lines words{"%t"};
    for (u32 i = 1; i < shape_.tagWords; ++i) words.push_back(fmt::format("%k{}", i));
    for (u32 i = 0; i < shape_.resultsInChunk(); ++i) words.push_back(fmt::format("%v{}", i < count ? i : 0));
    add("{}st.shared.v4.u32 [%a+{}], {{{}}};", hasNoChoice() ? "" : "@%q ", chunk * kChunkBytes, fmt::join(words, ", "));
  }

  const Settings& settings_;
  const SkippableRegion& region_;
  const u32 number_, keys_;
  const TableShape shape_;
  Lines lines_;
};

}  // namespace

std::string textOf(const Settings& settings, std::span<const SkippableRegion> regions, u32 addressBits) {
  std::string text = fmt::format(".version 7.0\n.target sm_30\n.address_size {}\n", addressBits);
  u32 number = 0;
  for (const SkippableRegion& region : regions) text += Routines(settings, region, number++).text();
  return text;
}

}  // namespace warpwright::mechanisms::memoisation
