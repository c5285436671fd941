// Which launches are only computed before simulated time begins.
#pragma once

#include <map>
#include <string>

#include "base/types.hpp"

namespace warpwright::runtime {

class FastForward {
 public:
  // KERNEL or KERNEL#N, N from 1; empty: time begins at once. Throws Error for an N that is no number or 0.
  explicit FastForward(const std::string& until);

  // Whether a launch of the kernel (its name in the PTX), which comes now, and all after it take time.
  bool reaches(const std::string& kernel);
  bool reached() const { return left_ == 0; }
  // Why time never began.
  std::string explanation() const;

 private:
  bool isIt(const std::string& name) const;

  std::string kernel_;
  std::map<std::string, u64> launches_;  // before time began, by the kernel's name in the PTX
  u64 left_ = 0;                         // launches of the kernel up to the one with which time begins
};

}  // namespace warpwright::runtime
