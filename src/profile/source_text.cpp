#include "profile/source_text.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>

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

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

std::string nameIn(const std::string& signature) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  std::size_t begin = 0, end = 0;
  u32 depth = 0;  // of template arguments, in which parentheses are casts
  for (; end < signature.size(); ++end) {
    if (std::string_view(signature).substr(end).starts_with(kUnnamed)) {
      end += kUnnamed.size() - 1;
      continue;
    }
    if (signature[end] == '<') ++depth;
    if (signature[end] == '>' && depth > 0) --depth;
    if (depth > 0) continue;
    if (signature[end] == '(') break;
    if (signature[end] == ' ') begin = end + 1;  // behind the result
  }
  return signature.substr(begin, end - begin);
}

}  // namespace warpwright::profile
