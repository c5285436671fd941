// What is said of functions in the text of their module: pragmas, and where arguments and results lie by the calling convention. For who
// enters a device function without a call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "compiler/analysis/analysis.hpp"

namespace warpwright::compiler {

struct PassedValue {
  std::string name;
  u64 bytes = 0;
  std::optional<u32> firstRegister;  // none: it lies in memory, or a part of it
};

struct FunctionNote {
  std::string function;
  SourcePosition where;
  std::vector<std::string> pragmas;
  std::vector<PassedValue> arguments, results;
};

// A routine that is entered beside a program, and not called: a pragma of it begins with the word "assist". It preserves no registers.
bool isEnteredWithoutCall(const ptx::Function& function);

// Its marks are all 0; its table is a std::vector<FunctionNote> of the functions that have pragmas, in their order.
extern const AnalysisKind kFunctionNotes;

// Of a program that was compiled with it; others have none.
const std::vector<FunctionNote>& functionNotes(const isa::Program& program);

}  // namespace warpwright::compiler
