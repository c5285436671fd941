#include "base/part.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace warpwright {

void refuseReplacement(std::string_view part, std::string_view first, std::string_view second) {
  throw Error(fmt::format("the mechanisms '{}' and '{}' both replace {}", first, second, part), {}, "leave one of them out");
}

}  // namespace warpwright
