// What a design takes as logic, by Yosys: numbers of gates and look-up tables, and gates in a row. No library of cells is used, so that
// nothing is known of nanoseconds.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "rtl/design.hpp"

namespace warpwright::rtl {

struct Counts {
  u64 gates = 0;  // NAND and NOR of two inputs, and inverters
  u64 depth = 0;  // of these on the longest way between ports and flip-flops
  u64 flipFlops = 0;
  u64 lut4 = 0, lut6 = 0;  // look-up tables of four and of six inputs
};

enum class Target : u8 { gates, lut4, lut6 };

// Fills in what the target tells: gates, depth and flip-flops; lut4; lut6. Throws Error when Yosys is not there or fails.
void synthesise(const Package& package, Target target, Counts& counts);
Counts synthesise(const Package& package);

// "gates", "depth", "flip_flops", "lut4", "lut6" of designs, each synthesised once; "memory_bits", for which nothing is.
class Synthesis {
 public:
  // Throws Error for another name.
  u64 count(const std::string& design, std::string_view name);

 private:
  struct Known {
    Counts counts;
    bool done[3] = {};
  };
  std::map<std::string, Known> known_;
};

}  // namespace warpwright::rtl
