// Instructions made ready to execute, once per kernel: operands resolved to places, implementations looked up.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "exec/atomics.hpp"
#include "exec/lane_function.hpp"
#include "exec/launch.hpp"
#include "exec/transfer.hpp"

namespace warpwright::exec {

// What the engine's one dispatch per warp instruction chooses by.
enum class Handler : u8 {
  undefined,  // no instruction: running into it is an error
  lane,
  load,
  store,
  atomic,
  branch,
  branchIndexed,
  call,
  callIndirect,
  ret,
  exit,
  nothing,  // fence, prefetch, nop
  specialRegister,
  shuffle,
  vote,
  match,
  reduce,
  activeMask,
  elect,
  warpSync,
  barrierSync,
  barrierArrive,
  barrierReduce,
  systemCall,
  sleep,
  trap,
  breakpoint,
};

// The allocation that an instruction's last access lay in.
struct AllocationCache {
  u64 begin = 0, end = 0;  // addresses
  u64 generation = ~u64{0};
};

struct Op : DecodedInstruction {
  Handler handler = Handler::undefined;
  u8 guardIndex = isa::kTruePredicate;
  bool polls = false;  // may be waiting for another thread: atomics, volatile and ordered loads
  bool eager = false;  // meeting point: lanes have been found to wait here for lanes that wait for them
  LaneMask guardFlip = 0;
  u32 target = isa::kNoTarget, reconvergence = isa::kNoTarget;
  // Memory operations.
  isa::Space space = isa::Space::generic;
  u8 addressWords = 0;  // registers of the address operand; 0: absolute
  u8 elements = 1;
  u8 elementBytes = 4;
  u64 offset = 0;
  TransferFunction transfer = nullptr;      // moves the elements of one access
  TransferFunction wordTransfer = nullptr;  // the same for 32-bit words: local memory is interleaved by words
  AtomicFunction atomic = nullptr;
  AllocationCache cache;
  u64 lastPolled = 0;  // hash of the values last read, to see that nothing changes

  u32 accessBytes() const { return u32{elements} * elementBytes; }
  TransferFunction wordOrNarrow() const { return elementBytes == 8 ? wordTransfer : transfer; }
};

class DecodedKernel {
 public:
  // Throws Error for an instruction that the machine does not have.
  DecodedKernel(const LoadedProgram& loaded, const isa::Function& kernel, std::span<const u8> parameters, u32 lanes, HostLevel level);

  // Ops are indexed by pc - first(); every pc that control may reach is inside, or fails contains().
  Op* ops() { return ops_.data(); }
  u32 first() const { return first_; }
  bool contains(u32 pc) const { return pc >= first_ && pc - first_ + 1 < ops_.size(); }
  Op& at(u32 pc) { return ops_[pc - first_]; }
  const u32* pool() const { return pool_.data(); }
  u32 registers() const { return registers_; }
  bool hasCalls() const { return hasCalls_; }

 private:
  friend class Decoder;
  u32 first_ = 0;
  std::vector<Op> ops_;  // one more than instructions: running off the end meets an undefined one
  std::vector<u32> pool_;
  u32 registers_ = 0;  // registers a warp needs
  bool hasCalls_ = false;
};

}  // namespace warpwright::exec
