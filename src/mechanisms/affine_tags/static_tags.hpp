// Tags that a compiler could write into instructions: what is known of each operand from the code alone, by the rules of the tagged
// register file along all paths (Coutinho, Sampaio, Pereira, Meira: "Divergence Analysis and Optimizations", 2011; section 5 of the tag
// paper names the possibility).
//
// Such a tag is a promise about the lanes that execute the instruction, not about all lanes: what diverging paths wrote is generic where
// they may go on together. That is the point of reconvergence, and each instruction before it that several paths reach: the machine joins
// paths of one divergence wherever they stand (exec/path_tree.hpp), in different rounds of a loop, say. Where lanes can wait for one
// another, some may leave the point of reconvergence without the others, which then speaks for nothing. The shape of the block is known,
// integers are taken not to overflow, and nothing is known behind a call.
#pragma once

#include <bitset>
#include <set>
#include <vector>

#include "exec/launch.hpp"
#include "mechanisms/affine_tags/tag_file.hpp"

namespace warpwright::mechanisms::affine_tags {

class StaticTags {
 public:
  StaticTags(const exec::LaunchRequest& request, TagRules rules);

  // Before and after an instruction of the kernel or of what it calls.
  const TagFile& before(Pc pc) const { return states_[pc].before; }
  const TagFile& after(Pc pc) const { return states_[pc].after; }

 private:
  struct State {
    bool reached = false;
    TagFile before, after;
  };
  // Registers and predicates, one bit each.
  struct Written {
    std::bitset<isa::kMaxRegisters + 1> registers;
    u64 predicates = 0;
  };
  // What lanes do that part at an instruction, until they meet.
  struct Region {
    std::vector<Pc> shared;  // instructions that several of the paths reach, with the point where all meet
    Written written;
    bool waits = false;  // for other lanes
  };

  void settle(std::vector<Pc> pending);
  void transfer(Pc pc);
  bool enter(Pc pc, const TagFile& state);
  std::vector<Pc> successors(Pc pc) const;
  std::vector<Pc> diverge();
  bool isDivergent(Pc pc) const;
  std::vector<Pc> sidesOf(Pc pc) const;
  std::vector<Pc> reachable(Pc start, Pc end) const;
  Region regionOf(Pc pc) const;
  bool waits(Pc pc) const;
  bool lose(Pc pc, const Written& written);
  void applyLost(Pc pc);
  Tag threadNumber(isa::SpecialRegister which) const;

  const isa::Program& program_;
  const Dim3 block_;
  const u32 warpSize_;
  const TagRules rules_;
  std::vector<Operation> operations_;
  std::vector<State> states_;
  std::vector<Written> lost_;             // by the instruction where paths join
  std::set<const isa::Function*> loose_;  // functions where lanes that have parted may wait for one another
};

}  // namespace warpwright::mechanisms::affine_tags
