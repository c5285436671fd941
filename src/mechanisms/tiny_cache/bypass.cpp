#include "mechanisms/tiny_cache/bypass.hpp"

#include <algorithm>

#include "mechanisms/kernel_names.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

std::optional<KernelBypass> choiceOf(std::string_view text) {
  const auto equals = text.rfind('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> kernel = namesIn(text.substr(0, equals)), choice = namesIn(text.substr(equals + 1));
  if (kernel.size() != 1 || kernel.front().empty() || choice.size() != 1) return std::nullopt;
  const auto& names = config::kNamesOf<Bypass>;
  const auto name = std::find(names.begin(), names.end(), choice.front());
  if (name == names.end()) return std::nullopt;
  return KernelBypass{kernel.front(), static_cast<Bypass>(name - names.begin())};
}

}  // namespace

std::optional<std::vector<KernelBypass>> kernelBypasses(std::string_view text) {
  std::vector<KernelBypass> result;
  for (const std::string& each : namesIn(text)) {
    const std::optional<KernelBypass> choice = choiceOf(each);
    if (!choice) return std::nullopt;
    result.push_back(*choice);
  }
  return result;
}

bool isOf(const KernelBypass& choice, const std::string& kernel) { return isCalled(kernel, choice.kernel); }

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
