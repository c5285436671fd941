// The API table as data, and the reference page made from it.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace warpwright::cudart {

enum class ApiStatus { full, partial, unsupported };

// What has to end before a call returns, as CUDA documents it.
enum class Waits {
  no,      // nothing: kernels under way stay under way
  asks,    // nothing, but the call tells what has ended
  stream,  // the work of a stream, or up to an event
  device,  // all work
};

struct ApiFunction {
  std::string_view group, name;
  ApiStatus status;
  Waits waits;
  std::string_view remark;
};

inline constexpr ApiFunction kApiFunctions[] = {
#define WW_API(group, name, status, waits, remark) {group, #name, ApiStatus::status, Waits::waits, remark},
#include "api.def"
};

inline std::string_view name(ApiStatus status) {
  constexpr std::string_view kNames[] = {"full", "partial", "unsupported"};
  return kNames[static_cast<int>(status)];
}

inline std::string_view name(Waits waits) {
  constexpr std::string_view kNames[] = {"", "asks", "stream", "device"};
  return kNames[static_cast<int>(waits)];
}

// What differs between the pages of two libraries.
struct ApiPage {
  std::string_view title, table, target, library, refusal;
};

// A reference page: how much works, then one table a group, in the order of the rows.
inline std::string apiPage(const ApiPage& page, std::span<const ApiFunction> functions) {
  const auto count = [&](ApiStatus status) {
    return std::to_string(std::count_if(functions.begin(), functions.end(), [&](auto& f) { return f.status == status; }));
  };
  const auto text = [](std::string_view part) { return std::string(part); };
  std::string result =
      "# " + text(page.title) + "\n\nGenerated from `" + text(page.table) + "` by the build target `" + text(page.target) +
      "`; do not edit.\n\nOf the functions that `" + text(page.library) + "` exports, " + count(ApiStatus::full) + " work fully, " +
      count(ApiStatus::partial) + " in part (the remark says which part), and " + count(ApiStatus::unsupported) +
      " are there so that\nprograms link: they return `" + text(page.refusal) +
      "` and say once on stderr which call it was.\n\nWaits: what has to end before the call returns, the work of a `stream` (or "
      "up to an event) or all work of the `device`; a call that `asks` tells what\nhas ended. In every other call the kernels "
      "under way stay under way, so that later ones may run beside them.\n";
  std::string_view group;
  for (const ApiFunction& function : functions) {
    if (function.group != group) {
      group = function.group;
      result += "\n## " + text(group) + "\n\n| function | status | waits | remark |\n|---|---|---|---|\n";
    }
    result += "| `" + text(function.name) + "` | " + text(name(function.status)) + " | " + text(name(function.waits)) + " | " +
              text(function.remark) + " |\n";
  }
  return result;
}

// docs/api-functions.md.
inline std::string apiPage() {
  return apiPage({"CUDA runtime API functions", "src/cudart/api.def", "api-page", "libwarpwright_cudart.so", "cudaErrorNotSupported"},
                 kApiFunctions);
}

}  // namespace warpwright::cudart
