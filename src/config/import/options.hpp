// An option file: words that begin with '-', each followed by its value.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/import/import.hpp"

namespace warpwright::config {

inline constexpr u64 kMostCount = u64{1} << 20;  // of anything: keeps products far from overflowing

struct Option {
  std::string name;   // without the '-'
  std::string value;  // without quotation marks; they may enclose several lines
  SourcePosition where;
};

// '#' starts a comment. Conflict markers of a version control system, which published files contain, are returned as left over.
std::vector<Option> readOptions(const std::string& text, const std::string& fileName, std::vector<LeftOver>& leftOver);

[[noreturn]] void refuse(const Option& option, const std::string& problem, const std::string& remedy = {});

// A whole number, or Error at the option.
u64 numberOf(const Option& option, std::string_view text);

// The parts between separators; at least one.
std::vector<std::string> split(std::string_view text, char separator);

// The options of a file by name. Those that nobody takes are left over.
class Options {
 public:
  Options(const std::string& text, const std::string& fileName);

  // Null when the file does not give it. A taken option counts as carried over.
  const Option* take(std::string_view name);
  // Reads a number when the option is there.
  bool number(std::string_view name, u32& into);
  bool number(std::string_view name, u64& into);
  // Reads 0 or 1.
  bool flag(std::string_view name, bool& into);
  // Throws Error that names all of those that are missing.
  void require(const std::vector<std::string>& names) const;
  // Carried over with a difference.
  void note(const Option& option, std::string reason);

  // What was not taken, each with its reason, and the notes; in the order of the file.
  std::vector<LeftOver> leftOver() const;

 private:
  std::map<std::string, Option, std::less<>> byName_;
  std::map<std::string, bool, std::less<>> taken_;
  std::vector<LeftOver> notes_;
  std::string fileName_;
};

// Why an option that nobody takes has no place in a machine file.
std::string_view reasonFor(std::string_view name);

}  // namespace warpwright::config
