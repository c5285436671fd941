#include "mechanisms/line_compression/routines/layout.hpp"

#include "base/memory_units.hpp"
#include "compression/bdi.hpp"
#include "compression/fpc.hpp"
#include "mechanisms/line_compression/form.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

u32 bytesFor(u32 bits) { return (bits + 7) / 8; }

}  // namespace

u32 headBytes(u8 encoding, u32 lineBytes, const compression::Variants& variants) {
  switch (codecOf(encoding)) {
    case compression::Codec::fpc:
      return bytesFor(3 * (lineBytes / kWordBytes / fpcSegmentWords(variants, lineBytes)));
    case compression::Codec::cPack:
      return bytesFor(4 * lineBytes / kWordBytes + 3);
    default:
      return bytesFor(4 + compression::bdiDeltas(bdiEncodingIn(encoding), lineBytes));
  }
}

}  // namespace warpwright::mechanisms::line_compression::routines
