#include "fatbin/ptx_header.hpp"

#include <algorithm>
#include <charconv>

namespace warpwright::fatbin {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

std::string_view from(std::string_view text, std::size_t at) { return text.substr(std::min(at, text.size())); }

// Without the blanks and comments at its beginning.
std::string_view skipBlanks(std::string_view text) {
  while (true) {
    text = from(text, text.find_first_not_of(kBlanks));
    if (text.starts_with("//"))
      text = from(text, text.find('\n'));
    else if (text.starts_with("/*"))
      text = from(text, std::min(text.find("*/", 2), text.size() - 2) + 2);
    else
      return text;
  }
}

// The next word, up to a blank, a comma or a comment. Removes it from the text.
std::string_view nextWord(std::string_view& text) {
  text = skipBlanks(text);
  const auto size = std::min(text.find_first_of(" \t\r\n\f\v,/", 1), text.size());
  const auto word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

// The number at the beginning, removed; 0 when there is none.
u32 takeNumber(std::string_view& text) {
  u32 number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return code == std::errc{} ? number : 0;
}

Architecture architectureOf(std::string_view target) {
  if (!target.starts_with("sm_")) return {};
  target.remove_prefix(3);
  Architecture architecture{takeNumber(target), '\0'};
  if (target == "a" || target == "f") architecture.suffix = target.front();
  return architecture;
}

}  // namespace

PtxHeader readPtxHeader(std::string_view text) {
  PtxHeader header;
  while (true) {
    const auto word = nextWord(text);
    if (word == ".version") {
      auto version = nextWord(text);
      header.isaMajor = takeNumber(version);
      if (version.starts_with('.')) version.remove_prefix(1);
      header.isaMinor = takeNumber(version);
    } else if (word == ".target") {
      header.architecture = architectureOf(nextWord(text));
    } else if (word == ".address_size") {
      header.addressBits = nextWord(text) == "32" ? 32 : 64;
    } else if (word.empty() || word.starts_with('.')) {
      return header;
    }
  }
}

}  // namespace warpwright::fatbin
