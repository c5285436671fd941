#include "lab/reproduction/synthesis.hpp"

#include "lab/analysis/expression.hpp"

namespace warpwright::lab {

std::optional<double> synthesisValue(rtl::Synthesis& synthesis, const PublishedValue& value) {
  constexpr std::string_view kOver = "over.";
  return Expression(value.ours).evaluate([&](const std::string& name) -> std::optional<double> {
    const bool isOver = name.starts_with(kOver);
    return static_cast<double>(synthesis.count(isOver ? value.overDesign : value.design, isOver ? name.substr(kOver.size()) : name));
  });
}

}  // namespace warpwright::lab
