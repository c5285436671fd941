#include "profile/source_text.hpp"

#include <fstream>

namespace warpwright::profile {
namespace {

std::vector<std::string> readLines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

std::string SourceText::line(const std::string& file, u32 number) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, readLines(file)).first;
  if (number == 0 || number > found->second.size()) return {};
  const std::string& text = found->second[number - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  const std::size_t end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? std::string{} : text.substr(begin, end - begin + 1);
}

}  // namespace warpwright::profile
