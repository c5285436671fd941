// Instructions made ready to execute: operands resolved to registers and planes, implementations looked up. That is done once for a kernel;
// a launch gets a copy, in which its parameters are filled in.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "exec/atomics.hpp"
#include "exec/direct_access.hpp"
#include "exec/lane_function.hpp"
#include "exec/launch.hpp"
#include "exec/matrix_multiply.hpp"
#include "exec/transfer.hpp"

namespace warpwright::exec {

using isa::Handler;

struct Grid;
struct Issue;
// Carries out an instruction that is no lane operation. True when the path goes straight on; otherwise it and the tree of paths are up to
// date.
using Perform = bool (*)(Grid& grid, const Issue& issue);
// Of what is no instruction: a fault.
bool performUndefined(Grid& grid, const Issue& issue);

// The allocation that an instruction's last access lay in.
struct AllocationCache {
  GlobalAddress begin, end;
  u64 generation = ~u64{0};
};

// Begins at a cache line, so that what the dispatch loop reads lies in two.
struct alignas(64) Op : DecodedInstruction {
  bool isPlain = false;  // a lane operation without a guard: nothing is to be decided
  Handler handler = Handler::undefined;
  u8 guardIndex = isa::kTruePredicate;
  bool polls = false;  // may be waiting for another thread: atomics, volatile and ordered loads
  bool eager = false;  // meeting point: lanes have been found to wait here for lanes that wait for them
  LaneMask guardFlip;
  u64 idleLanes = 0;            // active lanes, summed over issues, whose guard did not hold
  u32 target = isa::kNoTarget;  // as isa::Instruction has it
  Pc reconvergence = kNoPc;
  // Memory operations.
  isa::Space space = isa::Space::generic;
  u8 addressWords = 0;  // registers of the address operand; 0: absolute
  u8 elements = 1;
  u8 elementBytes = 4;
  bool mayRace = false;                     // a store to global memory that warps of a block may make to the same address
  bool wraps = false;                       // the sum of a one-word address and the offset has 32 bits
  u64 offset = 0;                           // with the kernel parameter that is added
  TransferFunction transfer = nullptr;      // moves the elements of one access
  TransferFunction wordTransfer = nullptr;  // the same for 32-bit words: local memory is interleaved by words
  AtomicFunction atomic = nullptr;
  DirectFunction direct = nullptr;  // tried first when the whole warp executes; null: there is none
  AllocationCache cache;
  Perform perform = performUndefined;
  const MatrixPlan* matrix = nullptr;  // mma; wgmma: of eight columns
  u32 poll = 0;                        // its number among those that poll
  u32 plainRun = 0;                    // plain ones from here on, in a row

  u32 accessBytes() const { return u32{elements} * elementBytes; }
  TransferFunction wordOrNarrow() const { return elementBytes == 8 ? wordTransfer : transfer; }
};

// A kernel and all that it may call, decoded; the same for every launch.
class KernelCode {
 public:
  // Throws Error for an instruction that the machine does not have.
  KernelCode(const isa::Program& program, const isa::Function& kernel, u32 lanes, HostLevel level);

 private:
  friend class Decoder;
  friend class DecodedKernel;
  // A value that the launch gives: see isa/launch_constants.hpp.
  struct PooledParameter {
    u32 begin = 0;   // in words from the pool's begin
    u32 copies = 1;  // one behind another
    u64 offset = 0;  // of the parameter
    isa::DataType type = isa::DataType::none;
  };
  struct AddressParameter {
    u32 op = 0;      // to whose offset the parameter is added
    u64 offset = 0;  // of the parameter
  };

  Pc first_;
  std::vector<Op> ops_;
  std::vector<PlaneLine> pool_;
  std::vector<PooledParameter> pooledParameters_;
  std::vector<AddressParameter> addressParameters_;
  std::map<isa::Matrix, std::unique_ptr<const MatrixPlan>> matrices_;
  u32 registers_ = 0;
  u32 predicates_ = 0;
  u32 polls_ = 0;
  bool hasCalls_ = false;
};

// The decoded kernels of a program. Several threads may ask.
class KernelCache {
 public:
  std::shared_ptr<const KernelCode> find(const isa::Program& program, const isa::Function& kernel, u32 lanes, HostLevel level);

 private:
  std::mutex mutex_;
  std::map<std::tuple<const isa::Function*, u32, HostLevel>, std::shared_ptr<const KernelCode>> kernels_;
};

// A kernel as one launch on one machine executes it.
class DecodedKernel {
 public:
  // Throws Error for an instruction that the machine does not have.
  DecodedKernel(const LaunchRequest& request, u32 lanes, HostLevel level);

  // Ops are indexed by pc - first(); every pc that control may reach is inside, or fails contains().
  Op* ops() { return ops_.data(); }
  Pc first() const { return first_; }
  Pc end() const { return Pc(first_ + static_cast<u32>(ops_.size()) - 1); }
  bool contains(Pc pc) const { return pc >= first_ && pc < end(); }
  Op& at(Pc pc) { return ops_[pc - first_]; }
  void forgetDirectAccess();  // every access takes the way that raises events and runs checks
  const u32* pool() const { return pool_.empty() ? nullptr : pool_.front().words; }
  u32 registers() const { return code_->registers_; }    // a warp needs
  u32 predicates() const { return code_->predicates_; }  // that are written or read
  u32 polls() const { return code_->polls_; }            // instructions that do
  bool hasCalls() const { return code_->hasCalls_; }

 private:
  std::shared_ptr<const KernelCode> code_;
  Pc first_;
  std::vector<Op> ops_;  // one more than instructions: running off the end meets an undefined one
  std::vector<PlaneLine> pool_;
};

}  // namespace warpwright::exec
