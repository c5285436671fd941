#include "lab/analysis/text_table.hpp"

#include <algorithm>

namespace warpwright::lab {
namespace {

// In characters of UTF-8: bytes that do not go on with one.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool isNumber) {
  const std::string blanks(width - widthOf(text), ' ');
  return isNumber ? blanks + text : text + blanks;
}

}  // namespace

std::string alignedText(const std::vector<std::vector<std::string>>& rows, std::size_t numbers) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i], i >= numbers) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace warpwright::lab
