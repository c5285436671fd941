#include "lab/reproduction/bank_maps.hpp"

#include <algorithm>
#include <bit>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

#include "base/types.hpp"

namespace warpwright::lab {

namespace pm = parallel_memory;

namespace {

// Of the patterns that one text may name the worst.
double degreeOf(const pm::BankMap& map, const std::string& pattern, bool worst) {
  const pm::BankTable table(map);
  double degree = 0;
  for (const pm::Pattern& each : pm::parsePatterns(pattern, std::bit_floor(map.banks()))) {
    const pm::Degrees degrees = pm::degreesOf(table, each);
    degree = std::max(degree, worst ? degrees.worst : degrees.mean);
  }
  return degree;
}

}  // namespace

std::optional<double> bankMapValue(const std::string& map, const std::string& pattern, const std::string& name) {
  const auto banks = pm::makeBankMap(map, {});
  if (name == "worst" || name == "mean") return degreeOf(*banks, pattern, name == "worst");
  for (const pm::HardwarePart& part : pm::hardwareCostOf(*banks))
    if (part.name == name) return static_cast<double>(part.size);
  return std::nullopt;
}

}  // namespace warpwright::lab
