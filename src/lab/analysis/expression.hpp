// Expressions over metrics: "baseline.timing.counters.cycles / timing.counters.cycles". Numbers, + - * / ^, parentheses, comparisons,
// and muParser's functions (min, max, sqrt, log2, …).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::lab {

// A name that begins with it is looked up in the baseline's row.
inline constexpr std::string_view kBaselinePrefix = "baseline.";

class Expression {
 public:
  // Throws Error with a position in the text.
  explicit Expression(const std::string& text);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  // Every name it uses.
  const std::vector<std::string>& names() const;
  // Nothing when a name has no value, or when the result is no number (a division by zero).
  std::optional<double> evaluate(const std::function<std::optional<double>(const std::string&)>& valueOf) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::lab
