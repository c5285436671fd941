// Decompression of xz files by liblzma.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sass/byte_source.hpp"

namespace warpwright::sass {

// What such a file begins with (The .xz File Format, section 2.1.1.1).
inline constexpr std::string_view kXzMagic(
    "\xFD"
    "7zXZ\0",
    6);

std::unique_ptr<ByteSource> decompressXz(std::unique_ptr<ByteSource> compressed, const std::string& name);

}  // namespace warpwright::sass
