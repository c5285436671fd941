// Text of PTX with names for what it is made of.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/types.hpp"

namespace warpwright::mechanisms::line_compression::routines {

inline std::string number(u32 value) { return std::to_string(value); }

using Names = std::map<std::string, std::string>;

// `text` with what stands for each $NAME in its place; a name is letters alone.
inline std::string withNames(const std::string& text, const Names& names) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] >= 'A' && text[end] <= 'Z') ++end;
    result += names.at(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return result;
}

// What every routine begins with.
inline constexpr const char* kBegin = R"(  .reg .u32 %b, %l;
  ld.param.b32 %b, [buffer];
  mov.u32 %l, %laneid;
)";

}  // namespace warpwright::mechanisms::line_compression::routines
