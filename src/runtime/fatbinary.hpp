// Device code embedded in an executable: what a .nv_fatbin section, or the data pointer of one registration, holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::runtime {

struct EmbeddedPtx {
  std::string text;
};

// Every PTX text in the bytes. warpwright-cc embeds plain texts, each ended by a NUL. Throws Error for anything else.
std::vector<EmbeddedPtx> extractPtx(std::string_view bytes);

// The PTX that one registration's data pointer leads to; plain text ended by a NUL. Throws Error for anything else.
std::string registeredPtx(const void* data);

}  // namespace warpwright::runtime
