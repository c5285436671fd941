#include "compression/bdi.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/codecs.hpp"
#include "mechanisms/line_compression/routines/ptx_text.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

using compression::BdiEncoding;

constexpr u32 kLanes = 32;

// Of the bits that say whether the base is added, those of a pass: up to 32.
u32 maskBytes(u32 lineBytes, u32 valueBytes) { return std::min(lineBytes / valueBytes, kLanes) / 8; }

// What the text of an encoding with differences is made of: value i of the line in lane i, or i - 32 in the second pass.
Names bdiNames(BdiEncoding encoding, u32 lineBytes, u32 pass) {
  const u32 value = compression::bdiValueBytes(encoding), delta = compression::bdiDeltaBytes(encoding);
  const u32 width = value == 8 ? 64 : 32;
  return {{"P", number(pass)},
          {"COUNT", number(lineBytes / value)},
          {"LAST", number(std::min(lineBytes / value, kLanes) - 1)},
          {"V", number(value)},
          {"D", number(delta)},
          {"W", number(width)},
          {"R", value == 8 ? "%d" : "%r"},
          {"VALUE", "u" + number(value * 8)},
          {"SVALUE", "s" + number(value * 8)},
          {"DELTA", "s" + number(delta * 8)},
          {"DBITS", number(delta * 8)},
          {"HALF", std::to_string(u64{1} << (delta * 8 - 1))},
          {"RANGE", std::to_string(u64{1} << delta * 8)},
          {"BODY", number(kBodyAt)},
          {"DELTASOFPASS", number(kBodyAt + value + pass * kLanes * delta)},
          {"VALUESOFPASS", number(pass * kLanes * value)},
          {"MASK", "u" + number(8 * maskBytes(lineBytes, value))},
          {"MASKOFPASS", number(kBodyAt - lineBytes / value / 8 + pass * kLanes / 8)}};
}

u32 passesOf(BdiEncoding encoding, u32 lineBytes) { return (lineBytes / compression::bdiValueBytes(encoding) + kLanes - 1) / kLanes; }

// A lane for each value, so that nothing but the load of the difference, an addition and the store need one another.
constexpr const char* kAddDelta = R"(  ld.shared.$MASK %m, [%b+$MASKOFPASS];
  and.b32 %m, %m, %h;
  setp.ne.u32 %q, %m, 0;
  mad.lo.u32 %a, %l, $D, %b;
  ld.shared.$DELTA $R1, [%a+$DELTASOFPASS];
  @%q add.s$W $R1, $R1, $R0;
  mad.lo.u32 %a, %l, $V, %b;
  st.shared.$VALUE [%a+$VALUESOFPASS], $R1;
)";

// One value of 8 bytes over and over, by the lanes that there are.
constexpr const char* kRepeat = R"(  mad.lo.u32 %a, %l, 8, %b;
  st.shared.u64 [%a], %d0;
)";

constexpr const char* kBdiRegisters = R"(  .reg .u32 %i, %a, %m, %h, %x, %r<4>;
  .reg .u64 %d<4>;
  .reg .pred %p, %q, %ok, %fits<2>, %isNear<2>;
)";

// Value i, the lane's own; lanes beyond the last value take that one, and agree.
constexpr const char* kLoadValue = R"(  min.u32 %i, %l, $LAST;
  mad.lo.u32 %a, %i, $V, %b;
  ld.shared.$SVALUE $R1, [%a+$VALUESOFPASS];
)";

// Whether the value, or its difference from the base, is a sign extension of its low bytes: what is half a range more is in that range.
constexpr const char* kTestValue = R"(  add.s$W $R2, $R1, $HALF;
  setp.lt.u$W %fits$P, $R2, $RANGE;
  sub.s$W $R2, $R1, $R0;
  add.s$W $R2, $R2, $HALF;
)";
constexpr const char* kTestDifference = R"(  setp.lt.u$W %isNear$P, $R2, $RANGE;
  or.pred %isNear$P, %isNear$P, %fits$P;
)";

// … and the difference, or the value itself, to its place, and who has which.
constexpr const char* kStoreDelta = R"(  setp.lt.u32 %q, %l, $COUNT;
  mad.lo.u32 %a, %l, $V, %b;
  @%q ld.shared.$SVALUE $R1, [%a+$VALUESOFPASS];
  @!%fits$P sub.s$W $R1, $R1, $R0;
  mad.lo.u32 %a, %l, $D, %b;
  @%q st.shared.u$DBITS [%a+$DELTASOFPASS], $R1;
  not.pred %ok, %fits$P;
  and.pred %ok, %ok, %q;
  vote.ballot.b32 %m, %ok;
  @%p st.shared.$MASK [%b+$MASKOFPASS], %m;
)";

// The first lane does it: %p.
constexpr const char* kStoreHead = R"(  mov.u32 %x, $ENCODING;
  @%p st.shared.u8 [%b+$HEADAT], %x;
  mov.u32 %x, $BYTES;
  @%p st.shared.u32 [%b+$SIZEAT], %x;
  ret;
)";

std::string storeHead(BdiEncoding encoding, u32 lineBytes) {
  return withNames(kStoreHead, {{"HEADAT", number(packedAt(bdiEncodingAs(encoding), lineBytes, {}))},
                                {"SIZEAT", number(kSizeAt)},
                                {"BYTES", number(compression::bdiBytes(encoding, lineBytes))},
                                {"ENCODING", number(static_cast<u32>(encoding))}});
}

// Tests leave in %ok, of all lanes, whether the line has the encoding.
std::string testRepeated(BdiEncoding encoding, u32 lineBytes) {
  return withNames(R"(  ld.shared.u64 %d0, [%b];
  min.u32 %i, %l, $LAST;
  mad.lo.u32 %a, %i, 8, %b;
  ld.shared.u64 %d1, [%a];
  setp.eq.u64 %ok, %d1, $WANTED;
  vote.all.pred %ok, %ok;
)",
                   {{"LAST", number(lineBytes / 8 - 1)}, {"WANTED", encoding == BdiEncoding::zeros ? "0" : "%d0"}});
}

std::string testValue(const Names& names) {
  // Values narrower than a register wrap around at their own width.
  const bool isNarrow = names.at("VALUE") == "u16";
  return withNames(std::string(kLoadValue) + kTestValue + (isNarrow ? "  and.b32 $R2, $R2, 65535;\n" : "") + kTestDifference, names);
}

std::string testDeltas(BdiEncoding encoding, u32 lineBytes) {
  const u32 passes = passesOf(encoding, lineBytes);
  const Names first = bdiNames(encoding, lineBytes, 0);
  std::string text = withNames("  ld.shared.$SVALUE $R0, [%b];\n", first);
  for (u32 pass = 0; pass < passes; ++pass) text += testValue(bdiNames(encoding, lineBytes, pass));
  if (passes == 2) text += "  and.pred %isNear0, %isNear0, %isNear1;\n";
  return text + "  vote.all.pred %ok, %isNear0;\n";
}

bool isPlain(BdiEncoding encoding) { return compression::bdiDeltaBytes(encoding) == 0; }

std::string testFor(BdiEncoding encoding, u32 lineBytes) {
  return isPlain(encoding) ? testRepeated(encoding, lineBytes) : testDeltas(encoding, lineBytes);
}

// Behind the test of the same encoding, whose registers it takes.
std::string storeAs(BdiEncoding encoding, u32 lineBytes) {
  std::string text;
  if (encoding == BdiEncoding::repeated) text += withNames("  @%p st.shared.u64 [%b+$BODY], %d0;\n", {{"BODY", number(kBodyAt)}});
  if (!isPlain(encoding)) {
    text += withNames("  @%p st.shared.$VALUE [%b+$BODY], $R0;\n", bdiNames(encoding, lineBytes, 0));
    for (u32 pass = 0; pass < passesOf(encoding, lineBytes); ++pass) text += withNames(kStoreDelta, bdiNames(encoding, lineBytes, pass));
  }
  return text + storeHead(encoding, lineBytes);
}

// Those that make a line smaller, the smallest first.
std::vector<BdiEncoding> encodingsOf(u32 lineBytes) {
  std::vector<BdiEncoding> encodings;
  for (u32 i = 0; i + 1 < compression::kBdiEncodings; ++i)
    if (bdiBytes(static_cast<BdiEncoding>(i), lineBytes) < lineBytes) encodings.push_back(static_cast<BdiEncoding>(i));
  std::stable_sort(encodings.begin(), encodings.end(),
                   [&](BdiEncoding one, BdiEncoding other) { return bdiBytes(one, lineBytes) < bdiBytes(other, lineBytes); });
  return encodings;
}

std::string label(const char* what, BdiEncoding encoding) { return fmt::format("{}_{}", what, name(encoding)); }

// The encoding that the buffer names is tried before all others; where it does not fit, or there is none, they begin.
std::string tryFirst(const std::vector<BdiEncoding>& encodings, u32 lineBytes) {
  std::array<std::string, compression::kBdiEncodings> targets;
  targets.fill("each");
  std::string tests;
  for (const BdiEncoding encoding : encodings) {
    const std::string here = label("first", encoding);
    targets[static_cast<std::size_t>(encoding)] = here;
    tests += fmt::format("{}:\n{}  @%ok bra {};\n  bra each;\n", here, testFor(encoding, lineBytes), label("is", encoding));
  }
  return fmt::format("  ld.shared.u32 %x, [%b+{}];\nfirst: .branchtargets {};\n  brx.idx.uni %x, first;\n{}each:\n", kFirstAt,
                     fmt::join(targets, ", "), tests);
}

}  // namespace

u32 bdiLanes(u8 as, u32 lineBytes) {
  const BdiEncoding encoding = bdiEncodingIn(as);
  return std::min(kLanes, lineBytes / (isPlain(encoding) ? 8 : compression::bdiValueBytes(encoding)));
}

std::string bdiDecompression(u8 as, u32 lineBytes) {
  const BdiEncoding encoding = bdiEncodingIn(as);
  const std::string begin = std::string(kBegin) + kBdiRegisters;
  if (isPlain(encoding)) {
    const char* value = encoding == BdiEncoding::zeros ? "  mov.u64 %d0, 0;\n" : "  ld.shared.u64 %d0, [%b+$BODY];\n";
    return begin + withNames(value + std::string(kRepeat), {{"BODY", number(kBodyAt)}}) + "  ret;\n";
  }
  std::string text =
      begin + withNames("  mov.u32 %h, %lanemask_eq;\n  ld.shared.$VALUE $R0, [%b+$BODY];\n", bdiNames(encoding, lineBytes, 0));
  for (u32 pass = 0; pass < passesOf(encoding, lineBytes); ++pass) text += withNames(kAddDelta, bdiNames(encoding, lineBytes, pass));
  return text + "  ret;\n";
}

// Encodings are tried from the smallest on; a line that has none is left as long as it is.
std::string bdiCompression(u32 lineBytes, BdiOrder order) {
  const std::vector<BdiEncoding> encodings = encodingsOf(lineBytes);
  std::string text = std::string(kBegin) + kBdiRegisters + "  setp.eq.u32 %p, %l, 0;\n";
  if (order == BdiOrder::last) text += tryFirst(encodings, lineBytes);
  for (const BdiEncoding encoding : encodings) {
    const std::string past = label("not", encoding);
    text += testFor(encoding, lineBytes) + "  @!%ok bra " + past + ";\n";
    if (order == BdiOrder::last) text += label("is", encoding) + ":\n";
    text += storeAs(encoding, lineBytes) + past + ":\n";
  }
  return text + withNames("  mov.u32 %x, $LINE;\n  @%p st.shared.u32 [%b+$SIZEAT], %x;\n  ret;\n",
                          {{"LINE", number(lineBytes)}, {"SIZEAT", number(kSizeAt)}});
}

}  // namespace warpwright::mechanisms::line_compression::routines
