#include "base/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/types.hpp"

namespace warpwright {

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

}  // namespace warpwright
