// The options that programs hand to the driver's compiler and linker.
#pragma once

#include <string>

#include "base/types.hpp"
#include "cuda.h"

namespace warpwright::cuda {

class JitOptions {
 public:
  // Reads the two parallel arrays; sizes of buffers are taken from `values` now and written back by report().
  JitOptions(unsigned int count, CUjit_option* options, void** values);

  bool valid() const { return valid_; }
  u32 maxRegisters() const { return maxRegisters_; }  // 0: none given
  // Puts the text in the program's error log, the info log gets none.
  void report(const std::string& error) const;

 private:
  // Where an option stands in the arrays; count_ when it is not given.
  unsigned int indexOf(CUjit_option option) const;
  void write(CUjit_option buffer, CUjit_option size, uintptr_t capacity, const std::string& text) const;

  unsigned int count_;
  CUjit_option* options_;
  void** values_;
  bool valid_;
  u32 maxRegisters_ = 0;
  uintptr_t errorCapacity_ = 0, infoCapacity_ = 0;  // bytes of the logs
};

}  // namespace warpwright::cuda
