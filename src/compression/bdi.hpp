// Base-delta-immediate compression (Pekhimenko et al., PACT 2012): a line is values of 8, 4 or 2 bytes, each a small signed difference from
// a base or, as an immediate, from zero. The base is the first value of the line (section 5.1.2 of the assist-warp paper). Two more
// encodings are a line of zeros and a line of one value of 8 bytes over and over.
//
// Layout: 4 bits of encoding and a bit a value that says whether the base is added, in whole bytes; the base; the differences. Bits for 8
// values or more begin with a byte, which takes no more bytes and saves shifts where they are tested. The paper's figure 6 counts one byte
// for encoding and bits together, which cannot hold both: a line of 64 bytes that it gives with 17 takes 18 here.
#pragma once

#include "compression/codec.hpp"

namespace warpwright::compression {

std::string_view name(BdiEncoding encoding);  // "base8_delta1"

// Of an encoding with differences; 0 bytes of them: it has none.
u32 bdiValueBytes(BdiEncoding encoding);
u32 bdiDeltaBytes(BdiEncoding encoding);
u32 bdiDeltas(BdiEncoding encoding, u32 lineBytes);

// Of the encodings that fit the line, the one that makes it smallest, if none is to be taken first; none when none makes it smaller.
BdiEncoding bdiEncodingOf(Line line, const Variants& variants = {});
// Bytes of a line of `lineBytes` with this encoding.
u32 bdiBytes(BdiEncoding encoding, u32 lineBytes);

std::optional<Bytes> bdiCompress(Line line, const Variants& variants);
void bdiDecompress(std::span<const std::byte> compressed, std::span<std::byte> line, const Variants& variants);

}  // namespace warpwright::compression
