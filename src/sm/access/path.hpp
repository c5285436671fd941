// From the accesses of a warp instruction to what the load/store unit has to do: the lane stages, one after the other.
#pragma once

#include <vector>

#include "exec/warp_source.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::sm {

class AccessPath {
 public:
  // Before time begins, in the order of the chain. It outlives the path.
  void add(LaneStage& stage);

  // The instruction of the operation has issued, and has made an access. `access` says whose it is; the rest of it is filled in. Without
  // timed stages it passes the lane stages now; else it is kept until expand().
  void begin(MemoryOperation& operation, LaneAccess& access, const isa::Instruction& instruction, const exec::AccessRecord& record);
  // Accesses that are kept pass the lane stages. False: some stage does not take the next one yet.
  bool expand(MemoryOperation& operation, Cycle now);

 private:
  void pass(LaneAccess& access, MemoryOperation& operation, Cycle now);

  std::vector<LaneStage*> stages_;
  bool isTimed_ = false;  // one of them is
};

}  // namespace warpwright::sm
