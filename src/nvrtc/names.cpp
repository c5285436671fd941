#include "names.hpp"

#include <fmt/format.h>

#include <regex>

namespace warpwright::nvrtc {
namespace {

constexpr const char* kProbe = "__warpwright_name_";

}  // namespace

std::string nameProbes(const std::vector<std::string>& expressions) {
  std::string text;
  for (std::size_t i = 0; i < expressions.size(); ++i)
    text +=
        fmt::format("\n#line 1 \"name expression {}\"\nextern \"C\" __device__ __attribute__((used)) const void* {}{} = (const void*)({});",
                    expressions[i], kProbe, i, expressions[i]);
  return text.empty() ? text : text + "\n";
}

std::map<std::string, std::string> takeNames(std::string& ptx, const std::vector<std::string>& expressions) {
  std::map<std::string, std::string> names;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const std::regex probe(fmt::format(R"([^\n;]*\b{}{}\s*=\s*(?:generic\()?([\w$]+)\)?;)", kProbe, i));
    std::smatch found;
    if (!std::regex_search(ptx, found, probe)) continue;
    names[expressions[i]] = found[1];
    ptx.erase(static_cast<std::size_t>(found.position(0)), static_cast<std::size_t>(found.length(0)));
  }
  return names;
}

}  // namespace warpwright::nvrtc
