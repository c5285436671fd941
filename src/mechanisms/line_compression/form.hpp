// How a line is compressed: how many pieces of 32 bytes it takes, and with which encoding, as requests carry both (mem/request.hpp).
#pragma once

#include <span>
#include <string_view>

#include "compression/bdi.hpp"
#include "compression/codec.hpp"

namespace warpwright::mechanisms::line_compression {

inline constexpr u32 kPieceBytes = 32;

struct Form {
  u8 pieces = 0;
  u8 encoding = 0;  // 0: the line is as it is, and takes all its pieces

  bool operator==(const Form&) const = default;
};

// Of a line that the codec makes smaller.
u8 encodingOf(compression::Codec codec, compression::Line line, const compression::Variants& variants = {});

// The one of the codecs that makes the line smallest, the first of equal ones. A line that takes as many pieces as before stays as it is.
Form formOf(std::span<const compression::Codec> codecs, compression::Line line, const compression::Variants& variants);

// Those of BDI come first, in its order, then one for each of the others.
inline constexpr u8 kFirstEncoding = 1, kFpcEncoding = kFirstEncoding + compression::kBdiEncodings - 1, kCPackEncoding = kFpcEncoding + 1,
                    kEncodings = kCPackEncoding + 1;

constexpr u8 bdiEncodingAs(compression::BdiEncoding encoding) { return static_cast<u8>(kFirstEncoding + static_cast<u8>(encoding)); }
constexpr compression::BdiEncoding bdiEncodingIn(u8 encoding) { return static_cast<compression::BdiEncoding>(encoding - kFirstEncoding); }

// "bdi_base8_delta1", "fpc", "c_pack"; of encodings other than 0.
std::string_view nameOf(u8 encoding);
compression::Codec codecOf(u8 encoding);

}  // namespace warpwright::mechanisms::line_compression
