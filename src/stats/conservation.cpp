#include "stats/conservation.hpp"

#include <fmt/format.h>

namespace warpwright::stats {

void Conservation::equal(std::string_view law, u64 left, u64 right) {
  if (left != right) violations_.push_back(fmt::format("{}: {} is not {}", law, left, right));
}

void Conservation::atMost(std::string_view law, u64 left, u64 right) {
  if (left > right) violations_.push_back(fmt::format("{}: {} exceeds {}", law, left, right));
}

}  // namespace warpwright::stats
