// The API table as data, and the reference page made from it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace warpwright::cudart {

enum class ApiStatus { full, partial, unsupported };

struct ApiFunction {
  std::string_view group, name;
  ApiStatus status;
  std::string_view remark;
};

inline constexpr ApiFunction kApiFunctions[] = {
#define WW_API(group, name, status, remark) {group, #name, ApiStatus::status, remark},
#include "api.def"
};

inline std::string_view name(ApiStatus status) {
  constexpr std::string_view kNames[] = {"full", "partial", "unsupported"};
  return kNames[static_cast<int>(status)];
}

// docs/api-functions.md.
inline std::string apiPage() {
  const auto count = [](ApiStatus status) {
    return std::to_string(std::count_if(std::begin(kApiFunctions), std::end(kApiFunctions), [&](auto& f) { return f.status == status; }));
  };
  std::string page =
      "# CUDA runtime API functions\n\n"
      "Generated from `src/cudart/api.def` by the build target `api-page`; do not edit.\n\n"
      "Of the functions that `libwarpwright_cudart.so` exports, " +
      count(ApiStatus::full) + " work fully, " + count(ApiStatus::partial) + " in part (the remark says which part), and " +
      count(ApiStatus::unsupported) +
      " are there so that\nprograms link: they return `cudaErrorNotSupported` and say once on stderr which call it was.\n";
  std::string_view group;
  for (const ApiFunction& function : kApiFunctions) {
    if (function.group != group) {
      group = function.group;
      page += "\n## " + std::string(group) + "\n\n| function | status | remark |\n|---|---|---|\n";
    }
    page +=
        "| `" + std::string(function.name) + "` | " + std::string(name(function.status)) + " | " + std::string(function.remark) + " |\n";
  }
  return page;
}

}  // namespace warpwright::cudart
