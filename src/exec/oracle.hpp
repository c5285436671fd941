// The one-lane interpreter: executes a function for a single thread with the scalar semantics. Slow and simple on purpose; tests
// compare the vector machine and the compiler's output with it. It shares the table and the semantics with the machine and nothing else.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "base/types.hpp"
#include "isa/program.hpp"

namespace warpwright::exec {

// What a thread's loads and stores reach. Generic addresses have been resolved to their space (see isa/address_space.hpp);
// addresses of shared, local, constant and param are offsets. May throw Error.
class OracleMemory {
 public:
  virtual ~OracleMemory() = default;
  virtual void read(isa::Space space, u64 address, std::span<u8> bytes) = 0;
  virtual void write(isa::Space space, u64 address, std::span<const u8> bytes) = 0;
};

struct OracleThread {
  // Values of %tid, %ctaid and so on.
  std::function<u64(isa::SpecialRegister)> special = [](isa::SpecialRegister) { return u64{0}; };
  std::span<const u8> parameters;  // the kernel's parameter block
  u32 stackRegister = isa::kStackRegister;
  // Every activation of a function has registers of its own (but for the stack pointer): for code from before register allocation, where no
  // caller saves anything.
  bool registersPerActivation = false;
  u64 maxInstructions = 10'000'000;  // executed; beyond it run() throws
};

enum class OracleEnd : u8 { exited, trapped, breakpoint };

// Registers and predicates are numbered without limit, so that code from before register allocation runs too. They start as zero.
// A single thread is a warp and a block of its own: votes see only its predicate, shuffles return its own value, barriers pass.
class Oracle {
 public:
  Oracle(const isa::Program& program, OracleMemory& memory, OracleThread thread = {});

  // Runs from the function's entry until the thread exits, returns from the function or traps.
  // Throws Error for what a lone thread cannot do (system calls), jumps to nowhere, and too many instructions.
  OracleEnd run(const isa::Function& function);

  u32 word(u32 index) const;  // a register
  void setWord(u32 index, u32 value) { words_[index] = value; }
  bool predicate(u32 index) const;
  void setPredicate(u32 index, bool value) { predicates_[index] = value; }
  u64 executed() const { return executed_; }  // instructions, those with a false guard included

 private:
  enum class Step : u8 { next, jumped, ended };

  Step execute(const isa::Instruction& instruction);
  Step perform(const isa::Instruction& instruction);
  Step branchIndexed(const isa::Instruction& instruction);
  Step callIndirect(const isa::Instruction& instruction);
  Step end(OracleEnd how);
  void executeLane(const isa::Instruction& instruction);
  void executeAtomic(const isa::Instruction& instruction);
  void load(const isa::Instruction& instruction);
  void store(const isa::Instruction& instruction);
  Step call(u32 function);
  Step endOfFunction();

  u64 read(const isa::Operand& operand, isa::DataType type) const;
  u64 source(const isa::Instruction& instruction, u32 index) const;
  void write(const isa::Operand& operand, isa::DataType type, u64 value);
  void setDestination(const isa::Instruction& instruction, u32 index, u64 value);
  u64 addressOf(const isa::Instruction& instruction) const;
  u64 loadValue(isa::Space space, u64 address, isa::DataType type) const;
  void storeValue(isa::Space space, u64 address, isa::DataType type, u64 value);
  [[noreturn]] void fail(const std::string& what) const;

  const isa::Program& program_;
  OracleMemory& memory_;
  OracleThread thread_;
  std::map<u32, u32> words_;
  std::map<u32, bool> predicates_;
  struct Activation {
    Pc returnPc;
    std::map<u32, u32> words;  // the caller's, with registersPerActivation
    std::map<u32, bool> predicates;
  };
  std::vector<Activation> callers_;
  Pc pc_;
  u64 executed_ = 0;
  OracleEnd end_ = OracleEnd::exited;
};

}  // namespace warpwright::exec
