#include "cc/driver/static_name_repair.hpp"

#include <cctype>
#include <set>
#include <string_view>

namespace warpwright::cc {
namespace {

constexpr std::string_view kMark = "__static__";

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

// The whole name around position `at`.
std::string_view nameAt(std::string_view text, size_t at) {
  size_t begin = at, end = at;
  while (begin > 0 && isNameCharacter(text[begin - 1])) --begin;
  while (end < text.size() && isNameCharacter(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::set<std::string> staticNames(std::string_view ptx) {
  std::set<std::string> names;
  for (size_t at = ptx.find(kMark); at != std::string_view::npos; at = ptx.find(kMark, at + kMark.size())) names.emplace(nameAt(ptx, at));
  return names;
}

std::string replaceName(std::string_view ptx, std::string_view name, std::string_view by) {
  std::string text;
  size_t copied = 0;
  for (size_t at = ptx.find(name); at != std::string_view::npos; at = ptx.find(name, at + name.size())) {
    if (nameAt(ptx, at) != name) continue;
    text.append(ptx.substr(copied, at - copied)).append(by);
    copied = at + name.size();
  }
  return text.append(ptx.substr(copied));
}

std::string withoutDeclaration(std::string ptx, std::string_view name) {
  constexpr std::string_view kExtern = "\n.extern ";
  for (size_t at = ptx.find(kExtern); at != std::string::npos; at = ptx.find(kExtern, at + 1)) {
    const std::string_view line = std::string_view(ptx).substr(at, ptx.find('\n', at + 1) - at);
    const size_t found = line.find(name);
    if (found != std::string_view::npos && nameAt(line, found) == name) return ptx.erase(at, line.size());
  }
  return ptx;
}

}  // namespace

std::string repairStaticNames(std::string ptx) {
  for (const std::string& full : staticNames(ptx)) {
    const std::string plain = full.substr(0, full.find(kMark));
    ptx = replaceName(withoutDeclaration(std::move(ptx), plain), plain, full);
  }
  return ptx;
}

}  // namespace warpwright::cc
