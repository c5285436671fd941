// C-Pack (Chen et al., 2010) with words of one compressed size, so that lanes work side by side (section 5.1 of the assist-warp paper): a
// word of 32 bits is zero, has only its last byte, is a value of the dictionary, or differs from one in its last byte. The dictionary has
// four values at most, the first words that are none of these; a line that needs more is kept as it is. The paper's second limit, of four
// uncompressed words, is the same: with words of one size, who is in no form yet becomes a value of the dictionary. Zero is kept in no
// entry; whether it is one of the four all the same, as in algorithm 6, a variant says.
//
// Layout: 4 bits a word (its form, its index in the dictionary); 3 bits of the dictionary's size, in whole bytes; the dictionary; a byte a
// word.
#pragma once

#include "compression/codec.hpp"

namespace warpwright::compression {

std::optional<Bytes> cPackCompress(Line line, const Variants& variants);
void cPackDecompress(std::span<const std::byte> compressed, std::span<std::byte> line, const Variants& variants);

// Of the dictionary, zero not among them.
u32 cPackMostValues(const Variants& variants);

}  // namespace warpwright::compression
