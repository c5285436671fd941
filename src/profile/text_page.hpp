// Builds the text of a report: headings, rows and wrapped paragraphs within a width.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "profile/profile.hpp"

namespace warpwright::profile {

class TextPage {
 public:
  explicit TextPage(const ReportOptions& options) : options_(options) {}

  // Underlined with '=' (level 1) or preceded by an empty line (level 2).
  void title(std::string_view text);
  void heading(std::string_view text);

  template <class... Arguments>
  void row(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    while (text_.ends_with(' ')) text_.pop_back();
    text_ += '\n';
  }

  // Breaks at blanks; keeps those at the beginning; lines after the first are indented by `indent`.
  void paragraph(std::string_view text, u32 indent);

  u32 width() const { return options_.width; }
  std::string take() { return std::move(text_); }

 private:
  std::string emphasised(std::string_view text, std::string_view code) const;

  ReportOptions options_;
  std::string text_;
};

// At most `width` columns; a cut is shown by "..".
std::string clipped(const std::string& text, std::size_t width);

}  // namespace warpwright::profile
