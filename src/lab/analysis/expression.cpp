#include "lab/analysis/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>

#include "base/error.hpp"

namespace warpwright::lab {

struct Expression::State {
  mu::Parser parser;
  std::vector<std::string> names;
  std::vector<double> values;  // of the names; the parser points into it
};

Expression::Expression(const std::string& text) : state_(std::make_unique<State>()) {
  try {
    state_->parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    state_->parser.SetExpr(text);
    for (const auto& [name, unused] : state_->parser.GetUsedVar()) state_->names.push_back(name);
    state_->values.resize(state_->names.size(), 1.0);
    for (std::size_t i = 0; i < state_->names.size(); ++i) state_->parser.DefineVar(state_->names[i], &state_->values[i]);
    state_->parser.Eval();
  } catch (const mu::ParserError& error) {
    throw Error(fmt::format("'{}': {}", text, error.GetMsg()), {}, "expressions have numbers, names of metrics, + - * / ^ and functions");
  }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

const std::vector<std::string>& Expression::names() const { return state_->names; }

std::optional<double> Expression::evaluate(const std::function<std::optional<double>(const std::string&)>& valueOf) const {
  for (std::size_t i = 0; i < state_->names.size(); ++i) {
    const std::optional<double> value = valueOf(state_->names[i]);
    if (!value) return std::nullopt;
    state_->values[i] = *value;
  }
  const double result = state_->parser.Eval();
  if (!std::isfinite(result)) return std::nullopt;
  return result;
}

}  // namespace warpwright::lab
