#include "profile/text_page.hpp"

#include <algorithm>

namespace warpwright::profile {
namespace {

constexpr std::string_view kBold = "\033[1m", kCyan = "\033[36m", kPlain = "\033[0m";

}  // namespace

std::string TextPage::emphasised(std::string_view text, std::string_view code) const {
  return options_.colour ? fmt::format("{}{}{}", code, text, kPlain) : std::string(text);
}

void TextPage::title(std::string_view text) {
  text_ += emphasised(clipped(std::string(text), width()), kBold) + '\n';
  text_ += std::string(std::min<std::size_t>(text.size(), width()), '=') + '\n';
}

void TextPage::heading(std::string_view text) { text_ += '\n' + emphasised(text, kCyan) + '\n'; }

void TextPage::paragraph(std::string_view text, u32 indent) {
  const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
  text_ += text.substr(0, blanks);
  text.remove_prefix(blanks);
  std::size_t column = blanks;
  bool first = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!first && column + 1 + word.size() > width()) {
      text_ += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      text_ += ' ';
      ++column;
    }
    first = false;
    text_ += word;
    column += word.size();
  }
  text_ += '\n';
}

std::string clipped(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  return width < 2 ? text.substr(0, width) : text.substr(0, width - 2) + "..";
}

}  // namespace warpwright::profile
