#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace warpwright {
namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearestName(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t bestDistance = name.size() / 2 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(name, candidate);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

Error unknownName(std::string_view what, const std::string& name, std::span<const std::string> known, const SourcePosition& where,
                  const std::string& otherwise) {
  const std::string near = nearestName(name, known);
  return Error(fmt::format("unknown {} '{}'", what, name), where, near.empty() ? otherwise : "did you mean '" + near + "'?");
}

}  // namespace warpwright
