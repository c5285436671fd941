#include "sass/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace warpwright::sass {
namespace {

constexpr const char* kRemedy = "the line is damaged, or no tracer of Accel-Sim has written it (docs/sass-traces.md)";

// False: the word is no number, or none of the type.
template <class Number>
bool parse(std::string_view word, Number& number, int base) {
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, number, base);
  return error == std::errc{} && stopped == end;
}

}  // namespace

bool Fields::atEnd() {
  position_ = std::min(line_.find_first_not_of(" \t", position_), line_.size());
  return position_ == line_.size();
}

std::string_view Fields::word(std::string_view what) {
  const bool isMissing = atEnd();
  last_ = position_;
  if (isMissing) fail(fmt::format("the line ends before {}", what), kRemedy);
  position_ = std::min(line_.find_first_of(" \t", last_), line_.size());
  return line_.substr(last_, position_ - last_);
}

u64 Fields::decimal(std::string_view what, u64 most) {
  const std::string_view text = word(what);
  u64 number = 0;
  if (!parse(text, number, 10) || number > most) failNumber(what, text);
  return number;
}

u64 Fields::hexadecimal(std::string_view what, u64 most) {
  const std::string_view text = word(what);
  u64 number = 0;
  if (!parse(text.starts_with("0x") ? text.substr(2) : text, number, 16) || number > most) failNumber(what, text);
  return number;
}

s64 Fields::integer(std::string_view what) {
  const std::string_view text = word(what);
  s64 number = 0;
  if (!parse(text, number, 10)) failNumber(what, text);
  return number;
}

u8 Fields::registerNumber(std::string_view what) {
  const std::string_view text = word(what);
  u8 number = 0;
  if (!text.starts_with('R') || !parse(text.substr(1), number, 10)) failNumber(what, text);
  return number;
}

void Fields::fail(const std::string& message, const std::string& remedy) const {
  throw Error(message, {where_.file, where_.line, static_cast<u32>(last_) + 1}, remedy);
}

void Fields::failNumber(std::string_view what, std::string_view word) const {
  fail(fmt::format("'{}' where {} is due", word, what), kRemedy);
}

}  // namespace warpwright::sass
