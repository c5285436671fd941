// Frequent pattern compression (Alameldeen and Wood, 2004) with one pattern a segment of the line, so that lanes know from the head where
// their words lie (section 5.1 of the assist-warp paper). The paper gives neither the number of segments nor the patterns: here a segment
// is 8 words of 32 bits, four a line of 128 bytes, or another power of two (Variants), and the patterns are those of the original but for
// its runs of zeros.
//
// Layout: 3 bits of pattern a segment, in whole bytes; the segments.
#pragma once

#include "compression/codec.hpp"

namespace warpwright::compression {

std::optional<Bytes> fpcCompress(Line line, const Variants& variants);
void fpcDecompress(std::span<const std::byte> compressed, std::span<std::byte> line, const Variants& variants);

// Of a line of `lineBytes`.
u32 fpcSegmentWords(const Variants& variants, u32 lineBytes);

}  // namespace warpwright::compression
