// Checks of numbers on the command line whose messages say what was expected.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/types.hpp"

namespace warpwright::cli {

// Empty when the whole text is a number that `accepts` takes.
template <class T, class Accepts>
std::string checkNumber(const std::string& text, const std::string& expected, Accepts&& accepts) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && accepts(value)) return {};
  return fmt::format("'{}' is no {}", text, expected);
}

// A whole number from 1 to the most that T holds.
template <class T>
CLI::Validator positive() {
  return {[](std::string& text) {
            const std::string expected = fmt::format("whole number from 1 to {}", std::numeric_limits<T>::max());
            return checkNumber<T>(text, expected, [](T value) { return value > 0; });
          },
          ""};
}

// A whole number from 0 to 2^32 - 1.
inline CLI::Validator wholeNumber() {
  return {[](std::string& text) { return checkNumber<u32>(text, "whole number from 0 to 4294967295", [](u32) { return true; }); }, ""};
}

inline CLI::Validator nonNegative() {
  return {[](std::string& text) {
            return checkNumber<double>(text, "number from 0 on", [](double value) { return std::isfinite(value) && value >= 0; });
          },
          ""};
}

// What `parse` reads without an Error.
template <class Parse>
CLI::Validator readableBy(Parse parse) {
  return {[parse](std::string& text) -> std::string {
            try {
              parse(text);
            } catch (const Error& error) {
              return fmt::format("{}\n  remedy: {}", error.message(), error.remedy());
            }
            return {};
          },
          ""};
}

}  // namespace warpwright::cli
