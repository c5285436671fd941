#include "lab/reproduction/bank_maps.hpp"

#include <algorithm>
#include <bit>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

#include "base/types.hpp"

namespace warpwright::lab {

namespace pm = parallel_memory;

// Of the patterns that one text may name the worst.
std::optional<double> bankMapDegree(const std::string& map, const std::string& pattern, const std::string& name) {
  if (name != "worst" && name != "mean") return std::nullopt;
  const auto banks = pm::makeBankMap(map, {});
  const pm::BankTable table(*banks);
  double degree = 0;
  for (const pm::Pattern& each : pm::parsePatterns(pattern, std::bit_floor(banks->banks()))) {
    const pm::Degrees degrees = pm::degreesOf(table, each);
    degree = std::max(degree, name == "worst" ? degrees.worst : degrees.mean);
  }
  return degree;
}

}  // namespace warpwright::lab
