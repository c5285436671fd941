#include "profile/mechanisms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright::profile {
namespace {

using Number = stats::AnyStatistics::Number;

std::string valueText(const Number& number) {
  if (!number.value) return "-";
  const bool isWhole = *number.value == std::floor(*number.value);
  return isWhole ? fmt::format("{:.0f}", *number.value) : fmt::format("{:.4g}", *number.value);
}

// Groups are what names share up to a dot: "units.fp64.reads.total" is in "units" and in "units.fp64".
class Groups {
 public:
  void add(const Number& number) {
    for (std::size_t dot = number.name.find('.'); dot != std::string::npos; dot = number.name.find('.', dot + 1)) {
      Group& group = groups_[number.name.substr(0, dot)];
      ++group.numbers;
      group.isZero = group.isZero && number.value == 0.0;
    }
  }

  // The largest group of zeros that the name is in; "": none.
  std::string zerosWith(const std::string& name) const {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
      const Group& group = groups_.at(name.substr(0, dot));
      if (group.isZero && group.numbers > 1) return name.substr(0, dot);
    }
    return {};
  }

 private:
  struct Group {
    u32 numbers = 0;
    bool isZero = true;
  };
  std::map<std::string, Group> groups_;
};

void append(TextPage& page, const stats::AnyStatistics& statistics) {
  Groups groups;
  statistics.forEachNumber([&](const Number& number) { groups.add(number); });
  std::vector<std::string> zeros;
  statistics.forEachNumber([&](const Number& number) {
    const std::string group = groups.zerosWith(number.name);
    if (group.empty()) return page.row("  {:<36}{:>14}   {}", number.name, valueText(number), number.unit);
    if (std::find(zeros.begin(), zeros.end(), group) == zeros.end()) zeros.push_back(group);
  });
  for (const std::string& group : zeros) page.row("  {:<36}{:>14}", group + ".*", "all 0");
}

}  // namespace

void appendMechanisms(TextPage& page, const stats::NamedStatistics& mechanisms) {
  mechanisms.forEach([&](const std::string& name, const stats::AnyStatistics& statistics) {
    page.heading("Mechanism " + name);
    append(page, statistics);
  });
}

}  // namespace warpwright::profile
