// What somebody else than the compiler wants to know of the code: an analysis looks at each function before its registers are allocated,
// where values still have names, and marks instructions. The marks follow their instructions to where they lie in the program
// (isa::Program::marks). Which analyses run is the choice of who compiles (Options::analyses).
#pragma once

#include <any>
#include <memory>
#include <string_view>
#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Of one program.
class Analysis {
 public:
  virtual ~Analysis() = default;
  // Per instruction of function.code its mark; 0: none. Called once for each function that has code, in their order.
  virtual std::vector<u32> mark(const MachineFunction& function) = 0;
  // What the marks refer to, of a type of the analysis's own: isa::Marks::table. Asked when all functions have been marked.
  virtual std::any table() { return {}; }
};

struct AnalysisKind {
  std::string_view name;  // by which the marks are found
  std::unique_ptr<Analysis> (*make)();
};

// The analyses of one compilation, and the marks that they have made so far.
class Marking {
 public:
  explicit Marking(const std::vector<const AnalysisKind*>& kinds);

  // Of a function in its numbered form (AllocatedFunction::scheduled).
  void mark(const MachineFunction& numbered);
  // Moves the marks of the function marked last to where its instructions lie: behind those of the functions before it. What allocation
  // has added has none; a copy that computes a value anew has that of its instruction.
  std::vector<std::vector<u32>> follow(const MachineFunction& finished) const;
  // by function: what follow() gave; null: it has no code.
  void store(const std::vector<std::vector<std::vector<u32>>>& byFunction, isa::Program& program);

 private:
  struct Running {
    const AnalysisKind* kind = nullptr;
    std::unique_ptr<Analysis> analysis;
    std::vector<u32> marks;  // of the function marked last
  };
  std::vector<Running> running_;
};

}  // namespace warpwright::compiler
