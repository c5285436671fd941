#include "lab/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::lab {
namespace {

std::string joined(const std::vector<Error>& mistakes) {
  if (mistakes.size() == 1) return mistakes.front().what();
  std::string text = fmt::format("{} mistakes", mistakes.size());
  for (const Error& mistake : mistakes) text += fmt::format("\n{}", mistake.what());
  return text;
}

}  // namespace

MistakesFound::MistakesFound(const std::vector<Error>& mistakes) : std::runtime_error(joined(mistakes)) {}

void Mistakes::add(const Error& mistake) {
  const auto same = [&](const Error& other) { return std::string_view(other.what()) == mistake.what(); };
  if (std::none_of(found_.begin(), found_.end(), same)) found_.push_back(mistake);
}

void Mistakes::report() const {
  if (!found_.empty()) throw MistakesFound(found_);
}

}  // namespace warpwright::lab
