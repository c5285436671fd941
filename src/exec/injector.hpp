// Injects the faults of a grid, or finds where some could be.
#pragma once

#include "exec/injection.hpp"

namespace warpwright::exec {

class Block;
struct Grid;
struct Op;
struct Warp;

class Injector {
 public:
  // plan outlives it.
  Injector(const InjectionPlan& plan, u64 launch);
  // Whether anything may happen in the launch.
  static bool isNeeded(const InjectionPlan* plan, u64 launch);

  // The warp is about to execute an instruction; it has executed it, and written these lanes.
  void issues(Grid& grid, Block& block, Warp& warp, Pc pc, LaneMask executing);
  void hasWritten(Grid& grid, u64 block, Warp& warp, const Op& op, Pc pc, LaneMask written);
  InjectionResult take();

 private:
  bool isDue(const InjectionPoint& point, u32 lanes);
  u64 random(const InjectionPoint& point, u32 number) const;
  void flipResult(Grid& grid, Warp& warp, const Op& op, LaneMask written, InjectedFault fault);
  void flipRegister(Grid& grid, Warp& warp, InjectedFault fault);
  void flipShared(Grid& grid, Block& block, InjectedFault fault);
  void flipGlobal(Grid& grid, InjectedFault fault);

  const InjectionPlan& plan_;
  u64 launch_;
  InjectionResult result_;  // candidates: a heap whose first has the highest rate
};

}  // namespace warpwright::exec
