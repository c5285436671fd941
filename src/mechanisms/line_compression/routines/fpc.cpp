#include "compression/fpc.hpp"

#include <array>
#include <bit>

#include "base/memory_units.hpp"
#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/codecs.hpp"
#include "mechanisms/line_compression/routines/ptx_text.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

// Bits of a word with each of the patterns, as compression/fpc.cpp has them.
constexpr std::array<u8, 8> kWordBits{0, 4, 8, 8, 16, 16, 16, 32};

// A compressed segment is loaded and stored in pieces, in which its words lie side by side: of 32 bits, or, where there are so few words
// that the next segment may begin within 32 bits, of 16. Words of 32 bits take two of the latter.
struct Segments {
  u32 words, count, pieceBits;
};

Segments segmentsOf(u32 lineBytes, const compression::Variants& variants) {
  const u32 words = fpcSegmentWords(variants, lineBytes);
  return {words, lineBytes / kWordBytes / words, words < 8 ? 16u : 32u};
}

// Bytes of a segment with each of the patterns, a byte each, the first pattern lowest.
std::string sizesOf(u32 segmentWords) {
  u64 sizes = 0;
  for (std::size_t pattern = kWordBits.size(); pattern-- > 0;) sizes = sizes << 8 | kWordBits[pattern] * segmentWords / 8;
  return fmt::format("{:#x}", sizes);
}

// Segment and word of the lane in %s and %k; patterns of all segments in %m; where the segment of the lane begins in %o, that behind the
// last in %e, its pattern in %pattern and bits a word in %w.
constexpr const char* kPlaces = R"(  mov.u64 %d0, $SIZES;
  shr.u32 %s, %l, $LOG;
  and.b32 %k, %l, $WITHIN;
  mov.u32 %o, 0;
  mov.u32 %e, 0;
)";
constexpr const char* kPlaceOfSegment = R"(  shr.u32 %t, %m, $BIT;
  and.b32 %t, %t, 7;
  setp.eq.u32 %isOwn, %s, $NUMBER;
  selp.u32 %pattern, %t, %pattern, %isOwn;
  selp.u32 %o, %e, %o, %isOwn;
  shl.b32 %t, %t, 3;
  shr.u64 %d1, %d0, %t;
  cvt.u32.u64 %t, %d1;
  and.b32 %t, %t, 255;
  selp.u32 %w, %t, %w, %isOwn;
  add.u32 %e, %e, %t;
)";
// The piece of the compressed segment in which the word of the lane lies, in %a, and at which bit, in %n.
constexpr const char* kPlaceOfWord = R"(  mul.lo.u32 %n, %k, %w;
  shr.u32 %a, %n, $PIECELOG;
  shl.b32 %a, %a, $PIECEBYTESLOG;
  add.u32 %a, %a, %o;
  add.u32 %a, %a, %b;
  and.b32 %n, %n, $PIECEMASK;
)";
constexpr const char* kFpcRegisters = R"(  .reg .u32 %s, %k, %o, %e, %t, %pattern, %w, %m, %a, %n, %v, %x, %y, %z, %mine;
  .reg .u64 %d<2>;
  .reg .pred %isOwn, %has, %p;
  mov.u32 %pattern, 0;
  mov.u32 %w, 0;
)";

u32 logOf(u32 powerOfTwo) { return static_cast<u32>(std::countr_zero(powerOfTwo)); }

// Bytes of a segment of 8 words are the bits of one of them.
std::string bitsOfBytes(u32 segmentWords) {
  if (segmentWords < 8) return fmt::format("  shl.b32 %w, %w, {};\n", logOf(8 / segmentWords));
  return segmentWords == 8 ? "" : fmt::format("  shr.u32 %w, %w, {};\n", logOf(segmentWords / 8));
}

std::string places(const Segments& segments) {
  std::string text = withNames(
      kPlaces, {{"SIZES", sizesOf(segments.words)}, {"LOG", number(logOf(segments.words))}, {"WITHIN", number(segments.words - 1)}});
  for (u32 segment = 0; segment < segments.count; ++segment)
    text += withNames(kPlaceOfSegment, {{"BIT", number(3 * segment)}, {"NUMBER", number(segment)}});
  return text + bitsOfBytes(segments.words) +
         withNames(kPlaceOfWord, {{"PIECELOG", number(logOf(segments.pieceBits))},
                                  {"PIECEBYTESLOG", number(logOf(segments.pieceBits / 8))},
                                  {"PIECEMASK", number(segments.pieceBits - 1)}});
}

Names fpcNames(u32 lineBytes, const compression::Variants& variants) {
  const u32 head = headBytes(kFpcEncoding, lineBytes, variants), words = fpcSegmentWords(variants, lineBytes);
  return {{"HEAD", number(kBodyAt - head)},
          {"HEADREST", number(kBodyAt - head + 1)},
          {"HEADBYTES", number(head)},
          {"HEADBITS", number(head * 8)},
          {"BODY", number(kBodyAt)},
          {"SECONDPIECE", number(kBodyAt + 2)},
          {"SIZEAT", number(kSizeAt)},
          {"LINE", number(lineBytes)},
          {"FIRSTLANE", number(~(words - 1) & 31)},
          {"ALL", number(words == 32 ? ~u32{0} : (1u << words) - 1)}};
}

// A head of three bytes is no number that can be loaded at once; its last two lie where one may.
constexpr u32 kUnevenHead = 3;
const char* loadPatterns(u32 headBytes) {
  if (headBytes != kUnevenHead) return "  ld.shared.u$HEADBITS %m, [%b+$HEAD];\n";
  return R"(  ld.shared.u8 %m, [%b+$HEAD];
  ld.shared.u16 %x, [%b+$HEADREST];
  shl.b32 %x, %x, 8;
  or.b32 %m, %m, %x;
)";
}
// The first lane does it: %p.
const char* storePatterns(u32 headBytes) {
  if (headBytes != kUnevenHead) return "  @%p st.shared.u$HEADBITS [%b+$HEAD], %m;\n";
  return R"(  @%p st.shared.u8 [%b+$HEAD], %m;
  shr.u32 %m, %m, 8;
  @%p st.shared.u16 [%b+$HEADREST], %m;
)";
}

const char* loadPieces(u32 pieceBits) {
  if (pieceBits == 32) return "  ld.shared.u32 %v, [%a+$BODY];\n";
  return R"(  ld.shared.u16 %v, [%a+$BODY];
  ld.shared.u16 %x, [%a+$SECONDPIECE];
  shl.b32 %x, %x, 16;
  or.b32 %v, %v, %x;
)";
}
const char* storePieces(u32 pieceBits) {
  if (pieceBits == 32) return "  setp.ne.u32 %has, %w, 0;\n  @%has st.shared.u32 [%a+$BODY], %z;\n";
  return R"(  setp.ne.u32 %has, %w, 0;
  @%has st.shared.u16 [%a+$BODY], %z;
  setp.eq.u32 %has, %w, 32;
  shr.u32 %z, %z, 16;
  @%has st.shared.u16 [%a+$SECONDPIECE], %z;
)";
}

// %v: a word as it is kept, sign extended or not; by pattern.
constexpr const char* kExpand = R"(  shr.u32 %v, %v, %n;
  sub.u32 %t, 32, %w;
  shl.b32 %v, %v, %t;
  shr.u32 %x, %v, %t;
  shr.s32 %v, %v, %t;
  setp.eq.u32 %has, %pattern, 3;
  mul.lo.u32 %y, %x, 0x01010101;
  selp.u32 %v, %y, %v, %has;
  setp.eq.u32 %has, %pattern, 5;
  shl.b32 %y, %x, 16;
  selp.u32 %v, %y, %v, %has;
  setp.eq.u32 %has, %pattern, 6;
  shl.b32 %y, %x, 24;
  shr.s32 %y, %y, 24;
  and.b32 %y, %y, 0xffff;
  shl.b32 %z, %x, 16;
  shr.s32 %z, %z, 24;
  shl.b32 %z, %z, 16;
  or.b32 %y, %y, %z;
  selp.u32 %v, %y, %v, %has;
  shl.b32 %a, %l, 2;
  add.u32 %a, %a, %b;
  st.shared.u32 [%a], %v;
  ret;
)";

// Whether the word has the pattern, in %has.
const char* testOf(u32 pattern) {
  constexpr const char* kTests[] = {"  setp.eq.u32 %has, %v, 0;\n",
                                    "  shl.b32 %x, %v, 28;\n  shr.s32 %x, %x, 28;\n  setp.eq.u32 %has, %x, %v;\n",
                                    "  shl.b32 %x, %v, 24;\n  shr.s32 %x, %x, 24;\n  setp.eq.u32 %has, %x, %v;\n",
                                    "  and.b32 %x, %v, 255;\n  mul.lo.u32 %x, %x, 0x01010101;\n  setp.eq.u32 %has, %x, %v;\n",
                                    "  shl.b32 %x, %v, 16;\n  shr.s32 %x, %x, 16;\n  setp.eq.u32 %has, %x, %v;\n",
                                    "  and.b32 %x, %v, 0xffff;\n  setp.eq.u32 %has, %x, 0;\n",
                                    // Both halves are sign extensions of bytes.
                                    R"(  shl.b32 %x, %v, 24;
  shr.s32 %x, %x, 24;
  shl.b32 %y, %v, 16;
  shr.s32 %y, %y, 16;
  setp.eq.s32 %p, %x, %y;
  shl.b32 %x, %v, 8;
  shr.s32 %x, %x, 24;
  shr.s32 %y, %v, 16;
  setp.eq.s32 %has, %x, %y;
  and.pred %has, %has, %p;
)"};
  return kTests[pattern];
}

// Of a segment all words have it: the least such pattern, as those come later.
constexpr const char* kWholeSegment = R"(  vote.ballot.b32 %x, %has;
  and.b32 %y, %l, $FIRSTLANE;
  shr.u32 %x, %x, %y;
  and.b32 %x, %x, $ALL;
  setp.eq.u32 %has, %x, $ALL;
  selp.u32 %mine, $PATTERN, %mine, %has;
)";

std::string wholeSegment(u32 pattern, Names names) {
  names["PATTERN"] = number(pattern);
  return withNames(kWholeSegment, names);
}

constexpr const char* kTakePattern = R"(  shfl.idx.b32 %x, %mine, $LANE, 0x1f;
  shl.b32 %x, %x, $BIT;
  or.b32 %m, %m, %x;
)";

// What is kept of the word, then all that lie in one piece of the compressed segment together.
constexpr const char* kKeep = R"(  setp.eq.u32 %has, %pattern, 5;
  shr.u32 %x, %v, 16;
  selp.u32 %z, %x, %v, %has;
  setp.eq.u32 %has, %pattern, 6;
  and.b32 %x, %v, 255;
  shr.u32 %y, %v, 8;
  and.b32 %y, %y, 0xff00;
  or.b32 %x, %x, %y;
  selp.u32 %z, %x, %z, %has;
  sub.u32 %t, 32, %w;
  shl.b32 %z, %z, %t;
  shr.u32 %z, %z, %t;
  shl.b32 %z, %z, %n;
)";
constexpr const char* kGather = R"(  shfl.bfly.b32 %x, %z, $DISTANCE, 0x1f;
  setp.le.u32 %has, %w, $MOST;
  selp.u32 %x, %x, 0, %has;
  or.b32 %z, %z, %x;
)";
constexpr const char* kSize = R"(  add.u32 %e, %e, $HEADBYTES;
  min.u32 %e, %e, $LINE;
  setp.eq.u32 %p, %l, 0;
)";
constexpr const char* kStoreSize = R"(  @%p st.shared.u32 [%b+$SIZEAT], %e;
  ret;
)";

}  // namespace

std::string fpcDecompression(u32 lineBytes, const compression::Variants& variants) {
  const Names names = fpcNames(lineBytes, variants);
  const Segments segments = segmentsOf(lineBytes, variants);
  return std::string(kBegin) + kFpcRegisters + withNames(loadPatterns(headBytes(kFpcEncoding, lineBytes, variants)), names) +
         places(segments) + withNames(std::string(loadPieces(segments.pieceBits)) + kExpand, names);
}

std::string fpcCompression(u32 lineBytes, const compression::Variants& variants) {
  constexpr u32 kPatterns = 7;  // beside words as they are
  const Names names = fpcNames(lineBytes, variants);
  const Segments segments = segmentsOf(lineBytes, variants);
  std::string text = std::string(kBegin) + kFpcRegisters;
  text += "  shl.b32 %a, %l, 2;\n  add.u32 %a, %a, %b;\n  ld.shared.u32 %v, [%a];\n  mov.u32 %mine, 7;\n  mov.u32 %m, 0;\n";
  for (u32 pattern = kPatterns; pattern-- > 0;) text += testOf(pattern) + wholeSegment(pattern, names);
  for (u32 segment = 0; segment < segments.count; ++segment)
    text += withNames(kTakePattern, {{"LANE", number(segment * segments.words)}, {"BIT", number(segment * 3)}});
  text += places(segments) + kKeep;
  for (u32 distance = 1; distance < segments.pieceBits / 4; distance *= 2)
    text += withNames(kGather, {{"DISTANCE", number(distance)}, {"MOST", number(segments.pieceBits / 2 / distance)}});
  const std::string head = storePatterns(headBytes(kFpcEncoding, lineBytes, variants));
  return text + withNames(storePieces(segments.pieceBits) + (kSize + head) + kStoreSize, names);
}

}  // namespace warpwright::mechanisms::line_compression::routines
