// Which addresses the threads of a grid access, instruction by instruction, as far as the code tells (Gou: "Customizable Memory Schemes for
// Data Parallel Accelerators", 2011, section 6.3.2). The analysis keeps each address as a sum over the indices of a thread in its grid
// whose factors are trees over kernel parameters, block size, grid size and constants; what they come to is known at the launch
// (launch_pattern.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/analysis/address_form.hpp"
#include "compiler/analysis/analysis.hpp"

namespace warpwright::compiler {

// Why nothing is known of an address. Those below `wraps` are found out by the compiler, the others at the launch.
enum class PatternFailure : u8 {
  none,
  loaded,        // it depends on a value that the program loads
  exchanged,     // … on what lanes exchange, or on a number that is no index in the grid
  argument,      // … on an argument of a function, or on what a call gives back
  privateSpace,  // a generic address of memory of the thread's own
  operation,     // … on an operation that is none of the skeletons' transitions
  step,          // a loop changes it otherwise than by the same step for all threads in each iteration
  tooComplex,    // more of it than the compiler keeps
  wraps,         // integers on the way to it may overflow
  product,       // a product of indices
  composition,   // indices, and bits of indices, that are neither skeleton
  versions,      // it depends on the path through the program
};
// As a sentence goes on behind "analysis fails: ".
std::string_view textOf(PatternFailure failure);

// `form` is what the code computes as long as it fits in so many bits, whatever the threads.
struct RangeCheck {
  Form form;
  u32 bits = 32;
  bool isSigned = false;

  bool operator==(const RangeCheck&) const = default;
};

// What the forms of one function refer to.
struct PatternVocabulary {
  std::vector<NamedValue> values;
  std::vector<RangeCheck> checks;
};

struct AddressVersion {
  Form address;
  std::vector<u32> checks;  // of the vocabulary, in ascending order

  bool operator==(const AddressVersion&) const = default;
};

// Of one load or store. Of private memory, an address is an offset into the thread's own, from where its frame begins.
struct AccessPattern {
  PatternFailure failure = PatternFailure::none;
  isa::Opcode obstacle = isa::Opcode::nop;  // of PatternFailure::operation
  std::vector<AddressVersion> versions;     // along the paths through the program; none where the analysis fails
  std::shared_ptr<const PatternVocabulary> vocabulary;
  bool isLoad = false;
  isa::Space space = isa::Space::global;
  u32 bytes = 4;  // a lane
};

// isa::Marks::table of the analysis: mark m of an instruction is patterns[m - 1]. Loads and stores of global, private and generic addresses
// have marks; spill code and atomics have none.
struct AccessPatterns {
  std::vector<AccessPattern> patterns;
};

extern const AnalysisKind kAccessPatterns;

// The pattern of an instruction of a program that was compiled with the analysis; null: it has none.
const AccessPattern* patternAt(const isa::Program& program, Pc pc);

}  // namespace warpwright::compiler
