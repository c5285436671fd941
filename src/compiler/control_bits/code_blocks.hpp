// Basic blocks of finished code.
#pragma once

#include <vector>

#include "compiler/graph.hpp"
#include "isa/program.hpp"

namespace warpwright::compiler {

struct CodeBlock {
  u32 begin = 0, end = 0;  // counted from the function's first instruction
};

struct CodeBlocks {
  std::vector<CodeBlock> blocks;  // in code order; block 0 is the entry
  Graph successors;
  // Per instruction, with those that nothing reaches: the first one that control can reach from it.
  std::vector<u32> reachableFrom;
};

CodeBlocks codeBlocks(const isa::Program& program, const isa::Function& function);

}  // namespace warpwright::compiler
