#include "mechanisms/line_compression/routines/layout.hpp"

#include "base/memory_units.hpp"
#include "compression/bdi.hpp"
#include "mechanisms/line_compression/form.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

u32 bytesFor(u32 bits) { return (bits + 7) / 8; }

}  // namespace

u32 headBytes(u8 encoding, u32 lineBytes) {
  switch (codecOf(encoding)) {
    case compression::Codec::fpc:
      return bytesFor(3 * lineBytes / kSegmentBytes);
    case compression::Codec::cPack:
      return bytesFor(4 * lineBytes / kWordBytes + 3);
    default:
      return bytesFor(4 + compression::bdiDeltas(bdiEncodingIn(encoding), lineBytes));
  }
}

}  // namespace warpwright::mechanisms::line_compression::routines
