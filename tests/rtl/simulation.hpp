// Modules of hardware, made by Verilator into functions that this program can call.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rtl/design.hpp"

namespace warpwright::rtl {

// The top of a package. After a reset.
class Simulation {
 public:
  Simulation(const Module& top, void* model, void (*stepOf)(void*, const u32*, u32*)) : top_(top), model_(model), step_(stepOf) {}

  // Outputs for these inputs; then the clock's edge.
  Bits step(const Bits& inputs);
  const Module& top() const { return top_; }

 private:
  Module top_;
  void* model_;
  void (*step_)(void*, const u32*, u32*);
};

// All at once, in the order of the packages; in a folder of this name. Throws std::runtime_error with what Verilator or the compiler said.
std::vector<Simulation> simulate(const std::vector<Package>& packages, const std::string& folder);

// "": as the package's model says, for all inputs where they have few bits and for `count` random ones otherwise; or the first difference.
std::string difference(Simulation& simulation, const Package& package, u64 count);

}  // namespace warpwright::rtl
