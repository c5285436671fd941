#include "config/import/cache_text.hpp"

#include <fmt/format.h>

namespace warpwright::config {
namespace {

constexpr const char* kForm =
    "[N|S:]sets:line:ways,replacement:write:allocate[:write_allocate[:set_index]],mshr:entries:merges,miss_queue[:fifo][,port]";

u64 countOf(const Option& option, const std::string& text) {
  const u64 value = numberOf(option, text);
  if (value == 0 || value > kMostCount) refuse(option, fmt::format("'{}' is out of range: 1 to {}", text, kMostCount));
  return value;
}

char letterOf(const Option& option, const std::string& text, std::string_view allowed, const char* what) {
  if (text.size() == 1 && allowed.find(text[0]) != std::string_view::npos) return text[0];
  refuse(option, fmt::format("'{}' is no {}", text, what), fmt::format("one of the letters {}", allowed));
}

void readGeometry(const Option& option, std::vector<std::string> parts, CacheText& result) {
  if (parts.size() == 4) {
    result.sectored = letterOf(option, parts[0], "NS", "kind of cache") == 'S';
    parts.erase(parts.begin());
  }
  if (parts.size() != 3) refuse(option, "expected sets:line:ways", kForm);
  result.sets = countOf(option, parts[0]);
  result.lineBytes = countOf(option, parts[1]);
  result.ways = countOf(option, parts[2]);
}

void readPolicies(const Option& option, const std::vector<std::string>& parts, CacheText& result) {
  if (parts.size() < 3 || parts.size() > 5) refuse(option, "expected replacement:write:allocate", kForm);
  result.replacement = letterOf(option, parts[0], "LF", "replacement");
  result.write = letterOf(option, parts[1], "RBTEL", "write policy");
  letterOf(option, parts[2], "mfs", "allocation");
  if (parts.size() > 3) result.allocate = letterOf(option, parts[3], "NWFL", "allocation of writes");
  if (parts.size() > 4) result.setIndex = letterOf(option, parts[4], "LHPXC", "set index");
}

void readMshrs(const Option& option, const std::vector<std::string>& parts, CacheText& result) {
  if (parts.size() != 3) refuse(option, "expected mshr:entries:merges", kForm);
  letterOf(option, parts[0], "ASTFR", "kind of MSHR");
  result.mshrs = countOf(option, parts[1]);
  result.merges = countOf(option, parts[2]);
}

}  // namespace

std::optional<CacheText> parseCacheText(const Option& option) {
  if (option.value == "none") return std::nullopt;
  const auto groups = split(option.value, ',');
  if (groups.size() < 4 || groups.size() > 5) refuse(option, "expected four or five groups between commas", kForm);
  CacheText result;
  readGeometry(option, split(groups[0], ':'), result);
  readPolicies(option, split(groups[1], ':'), result);
  readMshrs(option, split(groups[2], ':'), result);
  result.missQueue = countOf(option, split(groups[3], ':').front());
  if (groups.size() == 5) result.portBytes = numberOf(option, groups[4]);
  if (result.portBytes > kMostCount) refuse(option, "the port is too wide");
  return result;
}

}  // namespace warpwright::config
