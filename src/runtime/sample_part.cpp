#include "runtime/sample_part.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"

namespace warpwright::runtime {

SamplePart parseSamplePart(std::string_view text) {
  SamplePart part{0, 0};
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, part.number);
  if (first == std::errc{} && slash != end && *slash == '/') {
    const auto [rest, second] = std::from_chars(slash + 1, end, part.count);
    if (second == std::errc{} && rest == end && part.number != 0 && part.number <= part.count) return part;
  }
  throw Error(fmt::format("cannot read '{}' as a part of a sample", text), {}, "write which of how many, from 1/4 to 4/4");
}

}  // namespace warpwright::runtime
