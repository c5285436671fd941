// From text to options.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "config/import/options.hpp"

namespace warpwright::config {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& fileName, std::vector<LeftOver>& leftOver)
      : text_(text), fileName_(fileName), leftOver_(leftOver) {}

  std::vector<Option> read() {
    std::vector<Option> result;
    while (skipBlanks(), at_ < text_.size()) {
      if (skipConflictMarker()) continue;
      result.push_back(option());
    }
    return result;
  }

 private:
  static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  SourcePosition here() const { return {fileName_, line_, static_cast<u32>(at_ - lineStart_ + 1)}; }

  void advance() {
    if (text_[at_++] != '\n') return;
    ++line_;
    lineStart_ = at_;
  }

  void skipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') advance();
  }

  void skipBlanks() {
    while (at_ < text_.size() && (isBlank(text_[at_]) || text_[at_] == '#')) text_[at_] == '#' ? skipLine() : advance();
  }

  bool skipConflictMarker() {
    const std::string_view rest = text_.substr(at_);
    const bool isMarker = rest.starts_with("<<<<<<<") || rest.starts_with("=======") || rest.starts_with(">>>>>>>");
    if (!isMarker || at_ != lineStart_) return false;
    leftOver_.push_back({here(), std::string(rest.substr(0, 7)), "a conflict marker of a version control system, no option"});
    skipLine();
    return true;
  }

  std::string word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !isBlank(text_[at_]) && text_[at_] != '#') advance();
    return std::string(text_.substr(start, at_ - start));
  }

  std::string quoted() {
    const SourcePosition start = here();
    advance();
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (!isBlank(text_[at_])) result += text_[at_];
      advance();
    }
    if (at_ == text_.size()) throw Error("the quotation mark is never closed", start, "add the closing \"");
    advance();
    return result;
  }

  Option option() {
    Option result;
    result.where = here();
    const std::string name = word();
    if (name.size() < 2 || name[0] != '-') {
      throw Error(fmt::format("'{}' is no option", name), result.where, "options begin with '-'; a comment begins with '#'");
    }
    result.name = name.substr(1);
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) advance();
    const bool ends = at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '#';
    if (ends) throw Error(fmt::format("{} has no value", name), result.where, "write the value behind it, on the same line");
    result.value = text_[at_] == '"' ? quoted() : word();
    return result;
  }

  std::string_view text_;
  std::string fileName_;
  std::vector<LeftOver>& leftOver_;
  std::size_t at_ = 0, lineStart_ = 0;
  u32 line_ = 1;
};

}  // namespace

std::vector<Option> readOptions(const std::string& text, const std::string& fileName, std::vector<LeftOver>& leftOver) {
  return Reader(text, fileName, leftOver).read();
}

void refuse(const Option& option, const std::string& problem, const std::string& remedy) {
  throw Error(fmt::format("-{} {}: {}", option.name, option.value, problem), option.where, remedy);
}

u64 numberOf(const Option& option, std::string_view text) {
  u64 value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) refuse(option, fmt::format("'{}' is no whole number", text));
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == separator) {
      result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  return result;
}

}  // namespace warpwright::config
