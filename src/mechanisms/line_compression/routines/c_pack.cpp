#include "compression/c_pack.hpp"

#include "base/memory_units.hpp"
#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/codecs.hpp"
#include "mechanisms/line_compression/routines/ptx_text.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

Names cPackNames(u32 lineBytes) {
  const u32 head = headBytes(kCPackEncoding, lineBytes, {});
  return {{"HEAD", number(kBodyAt - head)},
          {"HEADBYTES", number(head)},
          {"BODY", number(kBodyAt)},
          {"COUNTAT", number(kBodyAt - head + lineBytes / kWordBytes / 2)},
          {"SIZEAT", number(kSizeAt)},
          {"LINE", number(lineBytes)},
          {"WORDS", number(lineBytes / kWordBytes)}};
}

// The form of the lane's word and its entry in the dictionary, 4 bits of a byte that two lanes share.
constexpr const char* kDecompression = R"(  .reg .u32 %a, %f, %x, %n, %v;
  .reg .pred %p;
  shr.u32 %a, %l, 1;
  add.u32 %a, %a, %b;
  ld.shared.u8 %f, [%a+$HEAD];
  and.b32 %x, %l, 1;
  shl.b32 %x, %x, 2;
  shr.u32 %f, %f, %x;
  ld.shared.u8 %n, [%b+$COUNTAT];
  and.b32 %n, %n, 7;
  and.b32 %a, %f, 12;
  add.u32 %a, %a, %b;
  ld.shared.u32 %v, [%a+$BODY];
  and.b32 %v, %v, 0xffffff00;
  and.b32 %f, %f, 2;
  setp.ne.u32 %p, %f, 0;
  selp.u32 %v, %v, 0, %p;
  shl.b32 %n, %n, 2;
  add.u32 %a, %b, %n;
  add.u32 %a, %a, %l;
  ld.shared.u8 %x, [%a+$BODY];
  or.b32 %v, %v, %x;
  shl.b32 %a, %l, 2;
  add.u32 %a, %a, %b;
  st.shared.u32 [%a], %v;
  ret;
)";

// %f: form, %e: entry of the lane's word; %n: values in the dictionary; %open: the word is in no form yet. The first word that is open
// becomes the next value; words that share all but the last byte with it have a form then.
constexpr const char* kCompression = R"(  .reg .u32 %a, %f, %e, %x, %n, %v, %u, %w;
  .reg .pred %p, %q, %open;
  shl.b32 %a, %l, 2;
  add.u32 %a, %a, %b;
  ld.shared.u32 %v, [%a];
  setp.ne.u32 %p, %v, 0;
  selp.u32 %f, 1, 0, %p;
  setp.gt.u32 %open, %v, 255;
  mov.u32 %e, 0;
  mov.u32 %n, 0;
next:
  vote.ballot.b32 %x, %open;
  setp.eq.u32 %p, %x, 0;
  @%p bra packed;
  setp.eq.u32 %p, %n, $MOST;
  @%p bra tooMany;
  brev.b32 %x, %x;
  clz.b32 %x, %x;
  shfl.idx.b32 %u, %v, %x, 0x1f;
  xor.b32 %w, %u, %v;
  setp.le.u32 %p, %w, 255;
  and.pred %p, %p, %open;
  setp.eq.u32 %q, %w, 0;
  selp.u32 %x, 2, 3, %q;
  selp.u32 %f, %x, %f, %p;
  selp.u32 %e, %n, %e, %p;
  not.pred %p, %p;
  and.pred %open, %open, %p;
  shl.b32 %a, %n, 2;
  add.u32 %a, %a, %b;
  setp.eq.u32 %p, %l, 0;
  @%p st.shared.u32 [%a+$BODY], %u;
  add.u32 %n, %n, 1;
  bra next;
packed:
  shl.b32 %e, %e, 2;
  or.b32 %f, %f, %e;
  shfl.bfly.b32 %x, %f, 1, 0x1f;
  shl.b32 %x, %x, 4;
  or.b32 %f, %f, %x;
  and.b32 %x, %l, 1;
  setp.eq.u32 %p, %x, 0;
  shr.u32 %a, %l, 1;
  add.u32 %a, %a, %b;
  @%p st.shared.u8 [%a+$HEAD], %f;
  shl.b32 %x, %n, 2;
  add.u32 %a, %b, %x;
  add.u32 %a, %a, %l;
  st.shared.u8 [%a+$BODY], %v;
  add.u32 %x, %x, $HEADBYTES;
  add.u32 %x, %x, $WORDS;
  min.u32 %x, %x, $LINE;
  setp.eq.u32 %p, %l, 0;
  @%p st.shared.u8 [%b+$COUNTAT], %n;
  @%p st.shared.u32 [%b+$SIZEAT], %x;
  ret;
tooMany:
  setp.eq.u32 %p, %l, 0;
  mov.u32 %x, $LINE;
  @%p st.shared.u32 [%b+$SIZEAT], %x;
  ret;
)";

}  // namespace

std::string cPackDecompression(u32 lineBytes) { return kBegin + withNames(kDecompression, cPackNames(lineBytes)); }
std::string cPackCompression(u32 lineBytes, const compression::Variants& variants) {
  Names names = cPackNames(lineBytes);
  names["MOST"] = number(cPackMostValues(variants));
  return kBegin + withNames(kCompression, names);
}

}  // namespace warpwright::mechanisms::line_compression::routines
