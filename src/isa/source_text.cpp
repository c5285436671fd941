#include "isa/source_text.hpp"

#include <fmt/format.h>

#include <fstream>

namespace warpwright::isa {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

const std::vector<std::string>& SourceText::linesOf(const std::string& path) {
  const auto [entry, isNew] = files_.try_emplace(path);
  if (!isNew) return entry->second;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) entry->second.push_back(trimmed(line));
  return entry->second;
}

std::string SourceText::describe(u32 file, u32 line) {
  const auto found = program_.files.find(file);
  if (found == program_.files.end()) return fmt::format("file {}:{}", file, line);
  const std::vector<std::string>& lines = linesOf(found->second);
  const std::string position = fmt::format("{}:{}", found->second, line);
  return line <= lines.size() ? fmt::format("{}: {}", position, lines[line - 1]) : position;
}

}  // namespace warpwright::isa
