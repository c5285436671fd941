// What of a loop computes the addresses of its loads, cut out of it so that somebody else may run it ahead of the loop and fetch what lies
// there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::ptx {
struct Module;
}

namespace warpwright::compiler {

struct SliceChoice {
  std::string name;     // of who runs them: begins the names of labels
  u32 distance = 1;     // iterations ahead
  bool direct = false;  // also addresses that are computed without a load
  std::function<bool(const std::string& kernel)> wants;
};

// Words of registers that it may need: an instruction that hands them on has as many operands.
inline constexpr u32 kMostSliceWords = 4;

struct AddressSlice {
  struct Needed {
    std::string reg;
    u32 bytes = 0;
  };
  std::string kernel, label;  // of the loop's beginning, where the registers have the values that it begins with
  u32 line = 0, loads = 0;
  std::vector<Needed> needed;
  std::vector<std::string> code;  // of PTX: declarations of its registers, but for those needed; what it computes; prefetches
};

// Of what each iteration of a loop computes. Puts labels into the kernels, and changes nothing else.
std::vector<AddressSlice> cutAddressSlices(ptx::Module& module, const SliceChoice& choice);

}  // namespace warpwright::compiler
