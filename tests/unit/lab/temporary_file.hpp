// A file name that nothing else uses, removed at the end of life.
#pragma once

#include <string>

#include "cc/driver/process.hpp"

namespace warpwright::lab {

class TemporaryFile {
 public:
  std::string path() const { return folder_.path() + "/store.db"; }

 private:
  cc::TemporaryFolder folder_;
};

}  // namespace warpwright::lab
