// Which values are floating-point numbers: those that an instruction computes as such, or that another one reads as such. Moves and private
// memory keep what a value is. What is told apart are the instructions that compute values: one use says it of all that an instruction
// computes. Fragments of matrices count as integers.
#pragma once

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "exec/launch.hpp"
#include "exec/observer.hpp"

namespace warpwright::mechanisms::memory_classes {

class NumberKinds {
 public:
  // Of a value: the index of the instruction that computed it, or loaded it from elsewhere than private memory.
  using Origin = u32;

  NumberKinds(const isa::Program& program, u32 warpsPerBlock);

  void blockEnds(u64 block) { blocks_.erase(block); }
  void issue(const exec::IssueEvent& event);
  void result(const exec::ResultEvent& event);
  // A load from private memory or a store to it, before it happens.
  void privateAccess(const exec::MemoryEvent& event);

  // Of a word that a private access moves: of its register, until the warp's next instruction.
  Origin originOf(const exec::MemoryEvent& event, u32 word);
  // So far: a later instruction may read it as a floating-point number.
  bool isFloat(Origin origin) const { return isFloat_[origin]; }

 private:
  struct Warp {
    std::array<Origin, isa::kMaxRegisters + 1> registers{};
    std::unordered_map<u64, Origin> privateWords;  // by the thread's own address
  };

  Warp& warpOf(const exec::WarpId& id);
  void store(Warp& warp, const exec::MemoryEvent& event);
  void load(Warp& warp, const exec::MemoryEvent& event);
  Origin originOfResult(Warp& warp, const exec::ResultEvent& event, u32 word) const;

  const u32 addressBits_, warpsPerBlock_;
  std::vector<bool> isFloat_;                // by origin
  std::map<u64, std::vector<Warp>> blocks_;  // that run
  bool isLoaded_ = false;                    // the destination of the load that is executing
};

}  // namespace warpwright::mechanisms::memory_classes
