// Source lines for reports, where the files can be read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::profile {

class SourceText {
 public:
  // The line without leading blanks; empty when it cannot be read.
  std::string line(const std::string& file, u32 number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace warpwright::profile
