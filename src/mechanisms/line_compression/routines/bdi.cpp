#include "compression/bdi.hpp"

#include <algorithm>
#include <vector>

#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/codecs.hpp"
#include "mechanisms/line_compression/routines/ptx_text.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

using compression::BdiEncoding;

constexpr u32 kLanes = 32;

// What the text of an encoding with differences is made of: value i of the line in lane i, or i - 32 in the second pass.
Names bdiNames(BdiEncoding encoding, u32 lineBytes, u32 pass) {
  const u32 value = compression::bdiValueBytes(encoding), delta = compression::bdiDeltaBytes(encoding);
  const u32 width = value == 8 ? 64 : 32;
  return {{"P", number(pass)},
          {"I", number(pass * kLanes)},
          {"COUNT", number(lineBytes / value)},
          {"LAST", number(lineBytes / value - 1)},
          {"V", number(value)},
          {"D", number(delta)},
          {"W", number(width)},
          {"R", value == 8 ? "%d" : "%r"},
          {"VALUE", "u" + number(value * 8)},
          {"SVALUE", "s" + number(value * 8)},
          {"DELTA", "s" + number(delta * 8)},
          {"DSHIFT", number(width - delta * 8)},
          {"VSHIFT", number(width - value * 8)},
          {"BODY", number(kBodyAt)},
          {"DELTAS", number(kBodyAt + value)},
          {"HEADBITS", number((kBodyAt - headBytes(bdiEncodingAs(encoding), lineBytes)) * 8 + 4)}};
}

u32 passesOf(BdiEncoding encoding, u32 lineBytes) { return (lineBytes / compression::bdiValueBytes(encoding) + kLanes - 1) / kLanes; }

constexpr const char* kAddDelta = R"(  add.u32 %i, %l, $I;
  setp.lt.u32 %p, %i, $COUNT;
  @!%p bra past$P;
  add.u32 %h, %i, $HEADBITS;
  shr.u32 %a, %h, 3;
  add.u32 %a, %a, %b;
  ld.shared.u8 %m, [%a];
  and.b32 %h, %h, 7;
  shr.u32 %m, %m, %h;
  and.b32 %m, %m, 1;
  setp.ne.u32 %q, %m, 0;
  mad.lo.u32 %a, %i, $D, %b;
  ld.shared.$DELTA $R1, [%a+$DELTAS];
  add.s$W $R2, $R1, $R0;
  selp.b$W $R1, $R2, $R1, %q;
  mad.lo.u32 %a, %i, $V, %b;
  st.shared.$VALUE [%a], $R1;
past$P:
)";

// One value of 8 bytes over and over, by the lanes that there are.
constexpr const char* kRepeat = R"(  shl.b32 %a, %l, 3;
  add.u32 %a, %a, %b;
  setp.lt.u32 %p, %l, $COUNT;
  @%p st.shared.u64 [%a], %d0;
)";

constexpr const char* kBdiRegisters = R"(  .reg .u32 %i, %a, %m, %h, %x, %r<8>;
  .reg .u64 %d<8>;
  .reg .pred %p, %q, %ok, %fits<2>, %isNear<2>;
)";

// Value i, its difference from the base, and whether these are sign extensions of their low bytes. Lanes beyond the last value agree.
constexpr const char* kTestValue = R"(  add.u32 %i, %l, $I;
  setp.ge.u32 %q, %i, $COUNT;
  min.u32 %i, %i, $LAST;
  mad.lo.u32 %a, %i, $V, %b;
  ld.shared.$SVALUE $R1, [%a];
  shl.b$W $R2, $R1, $DSHIFT;
  shr.s$W $R2, $R2, $DSHIFT;
  setp.eq.s$W %fits$P, $R1, $R2;
  sub.s$W $R3, $R1, $R0;
  shl.b$W $R3, $R3, $VSHIFT;
  shr.s$W $R3, $R3, $VSHIFT;
  shl.b$W $R2, $R3, $DSHIFT;
  shr.s$W $R2, $R2, $DSHIFT;
  setp.eq.s$W %isNear$P, $R3, $R2;
  or.pred %isNear$P, %isNear$P, %fits$P;
  or.pred %isNear$P, %isNear$P, %q;
)";

// … and the difference, or the value itself, to its place.
constexpr const char* kStoreDelta = R"(  add.u32 %i, %l, $I;
  setp.lt.u32 %q, %i, $COUNT;
  mad.lo.u32 %a, %i, $V, %b;
  @%q ld.shared.$SVALUE $R1, [%a];
  sub.s$W $R3, $R1, $R0;
  selp.b$W $R3, $R1, $R3, %fits$P;
  mad.lo.u32 %a, %i, $D, %b;
  @%q st.shared.u$DBITS [%a+$DELTAS], $R3;
  not.pred %ok, %fits$P;
  and.pred %ok, %ok, %q;
  vote.ballot.b32 %r6, %ok;
)";

// The head, of at most 9 bytes, a byte a lane: encoding and mask, of which %d1 has the low 64 bits and %h the others.
constexpr const char* kStoreHead = R"(  shl.b32 %m, %l, 3;
  shr.u64 %d2, %d1, %m;
  cvt.u32.u64 %r1, %d2;
  setp.eq.u32 %p, %l, 8;
  selp.u32 %r1, %h, %r1, %p;
  add.u32 %a, %b, %l;
  setp.lt.u32 %p, %l, $HEAD;
  @%p st.shared.u8 [%a+$HEADAT], %r1;
  setp.eq.u32 %p, %l, 0;
  @%p st.shared.u32 [%b+$SIZEAT], $SIZE;
  ret;
)";

Names sizesOf(BdiEncoding encoding, u32 lineBytes) {
  const u8 as = bdiEncodingAs(encoding);
  return {{"HEAD", number(headBytes(as, lineBytes))},
          {"HEADAT", number(packedAt(as, lineBytes))},
          {"SIZEAT", number(kSizeAt)},
          {"SIZE", "%x"},
          {"BYTES", number(compression::bdiBytes(encoding, lineBytes))},
          {"ENCODING", number(static_cast<u32>(encoding))}};
}

std::string storeHead(BdiEncoding encoding, u32 lineBytes) {
  return withNames("  mov.u32 %x, $BYTES;\n" + std::string(kStoreHead), sizesOf(encoding, lineBytes));
}

std::string testRepeated(BdiEncoding encoding, u32 lineBytes) {
  const Names names{{"LAST", number(lineBytes / 8 - 1)},
                    {"WANTED", encoding == BdiEncoding::zeros ? "0" : "%d0"},
                    {"ENCODING", number(static_cast<u32>(encoding))},
                    {"NEXT", std::string(name(encoding))},
                    {"BODY", number(kBodyAt)}};
  std::string text = withNames(R"(  ld.shared.u64 %d0, [%b];
  min.u32 %i, %l, $LAST;
  shl.b32 %a, %i, 3;
  add.u32 %a, %a, %b;
  ld.shared.u64 %d1, [%a];
  setp.eq.u64 %ok, %d1, $WANTED;
  vote.all.pred %ok, %ok;
  @!%ok bra not_$NEXT;
  mov.u64 %d1, $ENCODING;
  mov.u32 %h, 0;
)",
                               names);
  if (encoding == BdiEncoding::repeated) text += withNames("  setp.eq.u32 %p, %l, 0;\n  @%p st.shared.u64 [%b+$BODY], %d0;\n", names);
  return text + storeHead(encoding, lineBytes) + withNames("not_$NEXT:\n", names);
}

std::string testDeltas(BdiEncoding encoding, u32 lineBytes) {
  const u32 passes = passesOf(encoding, lineBytes);
  const Names first = bdiNames(encoding, lineBytes, 0);
  std::string text = withNames("  ld.shared.$SVALUE $R0, [%b];\n", first);
  for (u32 pass = 0; pass < passes; ++pass) text += withNames(kTestValue, bdiNames(encoding, lineBytes, pass));
  if (passes == 2) text += "  and.pred %isNear0, %isNear0, %isNear1;\n";
  const std::string past = "not_" + std::string(name(encoding));
  text += "  vote.all.pred %ok, %isNear0;\n  @!%ok bra " + past + ";\n";
  text += withNames("  setp.eq.u32 %p, %l, 0;\n  @%p st.shared.$VALUE [%b+$BODY], $R0;\n", first);
  for (u32 pass = 0; pass < passes; ++pass) {
    Names names = bdiNames(encoding, lineBytes, pass);
    names["DBITS"] = number(compression::bdiDeltaBytes(encoding) * 8);
    text += withNames(kStoreDelta, names) + (pass == 0 ? "  cvt.u64.u32 %d4, %r6;\n" : "  cvt.u64.u32 %d5, %r6;\n");
  }
  text += "  mov.u32 %h, 0;\n";
  if (passes == 2) text += "  shr.u32 %h, %r6, 28;\n  shl.b64 %d5, %d5, 32;\n  or.b64 %d4, %d4, %d5;\n";
  text += withNames("  shl.b64 %d1, %d4, 4;\n  or.b64 %d1, %d1, $ENCODING;\n", sizesOf(encoding, lineBytes));
  return text + storeHead(encoding, lineBytes) + past + ":\n";
}

bool isPlain(BdiEncoding encoding) { return compression::bdiDeltaBytes(encoding) == 0; }

}  // namespace

std::string bdiDecompression(u8 as, u32 lineBytes) {
  const BdiEncoding encoding = bdiEncodingIn(as);
  const std::string begin = std::string(kBegin) + kBdiRegisters;
  if (isPlain(encoding)) {
    const Names names{{"COUNT", number(lineBytes / 8)}, {"BODY", number(kBodyAt)}};
    const char* value = encoding == BdiEncoding::zeros ? "  mov.u64 %d0, 0;\n" : "  ld.shared.u64 %d0, [%b+$BODY];\n";
    return begin + withNames(value + std::string(kRepeat), names) + "  ret;\n";
  }
  std::string text = begin + withNames("  ld.shared.$VALUE $R0, [%b+$BODY];\n", bdiNames(encoding, lineBytes, 0));
  for (u32 pass = 0; pass < passesOf(encoding, lineBytes); ++pass) text += withNames(kAddDelta, bdiNames(encoding, lineBytes, pass));
  return text + "  ret;\n";
}

// Encodings are tried from the smallest on; a line that has none is left as long as it is.
std::string bdiCompression(u32 lineBytes) {
  std::vector<BdiEncoding> encodings;
  for (u32 i = 0; i + 1 < compression::kBdiEncodings; ++i)
    if (bdiBytes(static_cast<BdiEncoding>(i), lineBytes) < lineBytes) encodings.push_back(static_cast<BdiEncoding>(i));
  std::stable_sort(encodings.begin(), encodings.end(),
                   [&](BdiEncoding one, BdiEncoding other) { return bdiBytes(one, lineBytes) < bdiBytes(other, lineBytes); });
  std::string text = std::string(kBegin) + kBdiRegisters;
  for (const BdiEncoding encoding : encodings)
    text += isPlain(encoding) ? testRepeated(encoding, lineBytes) : testDeltas(encoding, lineBytes);
  return text + withNames("  setp.eq.u32 %p, %l, 0;\n  mov.u32 %x, $LINE;\n  @%p st.shared.u32 [%b+$SIZEAT], %x;\n  ret;\n",
                          {{"LINE", number(lineBytes)}, {"SIZEAT", number(kSizeAt)}});
}

}  // namespace warpwright::mechanisms::line_compression::routines
