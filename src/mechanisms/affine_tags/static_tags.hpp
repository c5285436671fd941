// Tags that a compiler could write into instructions: what is known of each operand from the code alone, by the rules of the tagged
// register file along all paths (Coutinho, Sampaio, Pereira, Meira: "Divergence Analysis and Optimizations", 2011; section 5 of the tag
// paper names the possibility).
//
// Such a tag is a promise about the lanes that execute the instruction, not about all lanes: what diverging paths wrote is generic where
// they meet. The shape of the block is known, integers are taken not to overflow, and nothing is known behind a call.
#pragma once

#include <vector>

#include "exec/launch.hpp"
#include "mechanisms/affine_tags/tag_file.hpp"

namespace warpwright::mechanisms::affine_tags {

class StaticTags {
 public:
  StaticTags(const exec::LaunchRequest& request, TagRules rules);

  // Before and after an instruction of the kernel or of what it calls.
  const TagFile& before(u32 pc) const { return states_[pc].before; }
  const TagFile& after(u32 pc) const { return states_[pc].after; }

 private:
  struct State {
    bool reached = false;
    TagFile before, after;
  };
  // Registers and predicates that generic branches make generic where their paths meet.
  struct Lost {
    std::vector<bool> registers;
    u64 predicates = 0;
  };

  void settle(std::vector<u32> pending);
  void transfer(u32 pc);
  bool enter(u32 pc, const TagFile& state);
  std::vector<u32> successors(u32 pc) const;
  std::vector<u32> diverge();
  bool isDivergent(u32 pc) const;
  bool loseBetween(u32 branch, u32 meeting);
  void applyLost(u32 pc);
  Tag threadNumber(isa::SpecialRegister which) const;

  const isa::Program& program_;
  const Dim3 block_;
  const u32 warpSize_;
  const TagRules rules_;
  std::vector<Operation> operations_;
  std::vector<State> states_;
  std::vector<Lost> lost_;  // by the place where paths meet
};

}  // namespace warpwright::mechanisms::affine_tags
