// Codecs for lines of memory, each as a pair of reference functions over bytes. They say what a line becomes and how large it is; whoever
// models the time and the hardware of compression builds on them.
//
// The three codecs are arranged for GPUs as in section 5.1 of Vijaykumar et al., "A Framework for Accelerating Bottlenecks in GPU Execution
// with Assist Warps": few encodings, and all that tells how to decompress a line at its head.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "compression/variants.hpp"

namespace warpwright::compression {

// Whole words of 8 bytes, little endian: 32 to 128 bytes, a power of two.
using Line = std::span<const std::byte>;
using Bytes = std::vector<std::byte>;

enum class Codec : u8 { bdi, fpc, cPack };
inline constexpr std::size_t kCodecs = 3;

std::string_view name(Codec codec);  // "bdi", "fpc", "c_pack"

// None when the line would not become smaller: it is kept as it is.
std::optional<Bytes> compress(Codec codec, Line line, const Variants& variants = {});
// `line` gets what compress() was given; `compressed` is what it gave with the same variants.
void decompress(Codec codec, std::span<const std::byte> compressed, std::span<std::byte> line, const Variants& variants = {});

// Bytes of the line as it is kept: compressed, or its own.
u32 keptBytes(Codec codec, Line line, const Variants& variants = {});

}  // namespace warpwright::compression
