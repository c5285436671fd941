#include "runtime/fatbinary.hpp"

#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "base/types.hpp"

namespace warpwright::runtime {
namespace {

constexpr u32 kContainerMagic = 0xba55ed50;

bool isContainer(const char* bytes, std::size_t size) {
  u32 magic = 0;
  if (size < sizeof magic) return false;
  std::memcpy(&magic, bytes, sizeof magic);
  return magic == kContainerMagic;
}

[[noreturn]] void refuseContainer() {
  throw Error("the device code is in a fat binary container", {}, "compile the program with warpwright-cc, which embeds PTX as text");
}

// PTX begins with comments, blanks or a directive: never with another control character.
bool looksLikeText(std::string_view text) {
  for (const char c : text.substr(0, 64))
    if (c >= 0 && c < ' ' && !std::strchr("\t\r\n\f\v", c)) return false;
  return true;
}

}  // namespace

std::string registeredPtx(const void* data) {
  const auto* bytes = static_cast<const char*>(data);
  if (!bytes || *bytes == '\0') throw Error("no device code is embedded", {}, "compile the program with warpwright-cc");
  if (isContainer(bytes, strnlen(bytes, sizeof(u32)))) refuseContainer();
  std::string text(bytes);
  if (!looksLikeText(text)) throw Error("the embedded device code is neither PTX text nor a fat binary container");
  return text;
}

}  // namespace warpwright::runtime
