// Laws that counters must obey, checked in every run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::stats {

class Conservation {
 public:
  // Notes a violation, "LAW: LEFT is not RIGHT", unless the two agree.
  void equal(std::string_view law, u64 left, u64 right);
  // … "LAW: LEFT exceeds RIGHT", unless left <= right.
  void atMost(std::string_view law, u64 left, u64 right);

  bool holds() const { return violations_.empty(); }
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  std::vector<std::string> violations_;
};

}  // namespace warpwright::stats
