#include "mechanisms/tiny_cache/bypass.hpp"

#include <algorithm>

#include "base/demangle.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

// Where the next choice ends: at a comma that is not between the brackets of a signature.
std::size_t endOfFirst(std::string_view text) {
  int depth = 0;
  for (std::size_t position = 0; position < text.size(); ++position) {
    const char c = text[position];
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (c == ',' && depth == 0) return position;
  }
  return text.size();
}

std::optional<KernelBypass> choiceOf(std::string_view text) {
  const auto equals = text.rfind('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view kernel = trimmed(text.substr(0, equals));
  const auto& names = config::kNamesOf<Bypass>;
  const auto name = std::find(names.begin(), names.end(), trimmed(text.substr(equals + 1)));
  if (kernel.empty() || name == names.end()) return std::nullopt;
  return KernelBypass{std::string(kernel), static_cast<Bypass>(name - names.begin())};
}

}  // namespace

std::optional<std::vector<KernelBypass>> kernelBypasses(std::string_view text) {
  std::vector<KernelBypass> result;
  while (!text.empty()) {
    const std::size_t end = endOfFirst(text);
    const std::optional<KernelBypass> choice = choiceOf(text.substr(0, end));
    if (!choice) return std::nullopt;
    result.push_back(*choice);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return result;
}

bool isOf(const KernelBypass& choice, const std::string& kernel) {
  const std::string signature = demangled(kernel);
  return choice.kernel == kernel || choice.kernel == signature || choice.kernel == nameIn(signature);
}

std::optional<Bypass> askedFor(exec::CachePreference preference) {
  switch (preference) {
    case exec::CachePreference::shared:
      return Bypass::global;
    case exec::CachePreference::l1:
      return Bypass::shared;
    case exec::CachePreference::equal:
      return Bypass::none;
    case exec::CachePreference::none:
      break;
  }
  return std::nullopt;
}

}  // namespace warpwright::mechanisms::tiny_cache
