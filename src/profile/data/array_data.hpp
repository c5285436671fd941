// What the arrays of a kernel hold. An array is what the program allocates or declares at once.
#pragma once

#include <map>
#include <set>
#include <string>

#include "exec/launch.hpp"
#include "profile/data/content.hpp"
#include "profile/data/line_contents.hpp"

namespace warpwright::profile {

struct ArrayData {
  std::string name;         // the variable's, or "allocation #3"
  u64 bytes = 0;            // 0: not known
  std::set<u32> arguments;  // of the kernel, from 0: those that have pointed into it
  Content loaded, stored;   // of each launch's lines: what its first load found; what lies at its end where it has stored
};

class KernelData {
 public:
  // Adds what a launch has seen, which has just ended.
  void add(const exec::Launch& launch, const LineContents& contents);

  bool empty() const { return arrays_.empty(); }
  // In the order of their addresses when they were first seen. The same allocation keeps its entry from launch to launch.
  const std::vector<ArrayData>& arrays() const { return arrays_; }

 private:
  ArrayData& arrayOf(const exec::Allocation* allocation);

  std::vector<ArrayData> arrays_;
  std::map<std::pair<std::string, u64>, std::size_t> byName_;  // name and bytes
};

}  // namespace warpwright::profile
