#include "nvvm/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::nvvm {
namespace {

struct Switch {
  std::string_view name;
  bool CompileOptions::*value;
};
// Each takes 0 or 1.
constexpr Switch kSwitches[] = {
    {"-ftz", &CompileOptions::flushDenormals},
    {"-prec-sqrt", &CompileOptions::preciseSquareRoot},
    {"-prec-div", &CompileOptions::preciseDivision},
    {"-fma", &CompileOptions::fuseMultiplyAdd},
};
constexpr std::string_view kArchitecture = "compute_";

std::optional<u32> numberOf(std::string_view digits) {
  u32 number = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (code != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

[[noreturn]] void refuseValue(std::string_view name, std::string_view value, std::string_view allowed) {
  throw Error(fmt::format("option {}={}", name, value), {}, fmt::format("it takes {}", allowed));
}

[[noreturn]] void refuse(const std::string& name) {
  std::vector<std::string> known{"-g", "-generate-line-info", "-opt", "-arch"};
  for (const Switch& each : kSwitches) known.emplace_back(each.name);
  const std::string nearest = nearestName(name, known);
  throw Error(fmt::format("unknown option '{}'", name), {},
              nearest.empty() ? fmt::format("the options are {}", fmt::join(known, ", ")) : fmt::format("did you mean {}?", nearest));
}

void read(const std::string& word, CompileOptions& options) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (name == "-g" || name == "-generate-line-info") {
    options.lines = true;
  } else if (name == "-opt") {
    if (value != "0" && value != "3") refuseValue(name, value, "0 or 3");
    options.optimise = value == "3";
  } else if (name == "-arch") {
    const auto number = value.starts_with(kArchitecture) ? numberOf(std::string_view(value).substr(kArchitecture.size())) : std::nullopt;
    if (!number) refuseValue(name, value, "compute_NN");
    options.smVersion = *number;
  } else {
    for (const Switch& each : kSwitches) {
      if (name != each.name) continue;
      if (value != "0" && value != "1") refuseValue(name, value, "0 or 1");
      options.*each.value = value == "1";
      return;
    }
    refuse(name);
  }
}

}  // namespace

CompileOptions readOptions(const std::vector<std::string>& words) {
  CompileOptions options;
  for (const std::string& word : words) read(word, options);
  return options;
}

}  // namespace warpwright::nvvm
