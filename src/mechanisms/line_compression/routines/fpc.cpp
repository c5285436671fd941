#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/codecs.hpp"
#include "mechanisms/line_compression/routines/ptx_text.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

// Bytes of a segment with each of the patterns, as compression/fpc.cpp has them, the first pattern lowest. As many bits has a word.
constexpr const char* kSizes = "0x2010101008080400";

// Segment and word of the lane in %s and %k; patterns of all segments in %m; where the segment of the lane begins in %o, that behind the
// last in %e, its pattern in %pattern and bits a word in %w.
constexpr const char* kPlaces = R"(  mov.u64 %d0, $SIZES;
  shr.u32 %s, %l, 3;
  and.b32 %k, %l, 7;
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
// The word of the compressed segment in which that of the lane lies, in %a, and at which bit, in %n.
constexpr const char* kPlaceOfWord = R"(  mul.lo.u32 %n, %k, %w;
  shr.u32 %a, %n, 5;
  shl.b32 %a, %a, 2;
  add.u32 %a, %a, %o;
  add.u32 %a, %a, %b;
  and.b32 %n, %n, 31;
)";
constexpr const char* kFpcRegisters = R"(  .reg .u32 %s, %k, %o, %e, %t, %pattern, %w, %m, %a, %n, %v, %x, %y, %z, %mine;
  .reg .u64 %d<2>;
  .reg .pred %isOwn, %has, %p;
  mov.u32 %pattern, 0;
  mov.u32 %w, 0;
)";

u32 segmentsOf(u32 lineBytes) { return lineBytes / kSegmentBytes; }

std::string places(u32 lineBytes) {
  std::string text = withNames(kPlaces, {{"SIZES", kSizes}});
  for (u32 segment = 0; segment < segmentsOf(lineBytes); ++segment)
    text += withNames(kPlaceOfSegment, {{"BIT", number(3 * segment)}, {"NUMBER", number(segment)}});
  return text + kPlaceOfWord;
}

Names fpcNames(u32 lineBytes) {
  const u32 head = headBytes(kFpcEncoding, lineBytes);
  return {{"HEAD", number(kBodyAt - head)}, {"HEADBYTES", number(head)}, {"HEADBITS", number(head * 8)},
          {"BODY", number(kBodyAt)},        {"SIZEAT", number(kSizeAt)}, {"LINE", number(lineBytes)}};
}

// %v: a word as it is kept, sign extended or not; by pattern.
constexpr const char* kExpand = R"(  ld.shared.u32 %v, [%a+$BODY];
  shr.u32 %v, %v, %n;
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
  and.b32 %y, %l, 24;
  shr.u32 %x, %x, %y;
  and.b32 %x, %x, 255;
  setp.eq.u32 %has, %x, 255;
  selp.u32 %mine, $PATTERN, %mine, %has;
)";

constexpr const char* kTakePattern = R"(  shfl.idx.b32 %x, %mine, $LANE, 0x1f;
  shl.b32 %x, %x, $BIT;
  or.b32 %m, %m, %x;
)";

// What is kept of the word, then all that lie in one word of the compressed line together.
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
constexpr const char* kStore = R"(  setp.ne.u32 %has, %w, 0;
  @%has st.shared.u32 [%a+$BODY], %z;
  add.u32 %e, %e, $HEADBYTES;
  min.u32 %e, %e, $LINE;
  setp.eq.u32 %p, %l, 0;
  @%p st.shared.u$HEADBITS [%b+$HEAD], %m;
  @%p st.shared.u32 [%b+$SIZEAT], %e;
  ret;
)";

}  // namespace

std::string fpcDecompression(u32 lineBytes) {
  const Names names = fpcNames(lineBytes);
  return std::string(kBegin) + kFpcRegisters + withNames("  ld.shared.u$HEADBITS %m, [%b+$HEAD];\n", names) + places(lineBytes) +
         withNames(kExpand, names);
}

std::string fpcCompression(u32 lineBytes) {
  constexpr u32 kPatterns = 7;  // beside words as they are
  const Names names = fpcNames(lineBytes);
  std::string text = std::string(kBegin) + kFpcRegisters;
  text += "  shl.b32 %a, %l, 2;\n  add.u32 %a, %a, %b;\n  ld.shared.u32 %v, [%a];\n  mov.u32 %mine, 7;\n  mov.u32 %m, 0;\n";
  for (u32 pattern = kPatterns; pattern-- > 0;) text += testOf(pattern) + withNames(kWholeSegment, {{"PATTERN", number(pattern)}});
  for (u32 segment = 0; segment < segmentsOf(lineBytes); ++segment)
    text += withNames(kTakePattern, {{"LANE", number(segment * 8)}, {"BIT", number(segment * 3)}});
  text += places(lineBytes) + kKeep;
  for (u32 distance = 1; distance < 8; distance *= 2)
    text += withNames(kGather, {{"DISTANCE", number(distance)}, {"MOST", number(16 / distance)}});
  return text + withNames(kStore, names);
}

}  // namespace warpwright::mechanisms::line_compression::routines
