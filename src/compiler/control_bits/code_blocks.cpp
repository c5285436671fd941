#include "compiler/control_bits/code_blocks.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

using isa::Flow;
using isa::Opcode;

class BlockFinder {
 public:
  BlockFinder(const isa::Program& program, const isa::Function& function)
      : program_(program), begin_(function.begin), size_(function.end - function.begin) {}

  CodeBlocks run() {
    CodeBlocks result;
    findBlocks(result.blocks);
    result.successors.resize(result.blocks.size());
    for (u32 b = 0; b < result.blocks.size(); ++b) addEdges(result, b);
    findReach(result.reachableFrom);
    return result;
  }

 private:
  const isa::Instruction& at(u32 i) const { return program_.code[begin_ + i]; }
  Flow flowAt(u32 i) const { return isa::info(at(i).opcode).flow; }
  bool ends(u32 i) const { return flowAt(i) == Flow::jump || flowAt(i) == Flow::leave || flowAt(i) == Flow::stop; }
  bool goesOn(u32 i) const { return !ends(i) || at(i).guard.index != isa::kTruePredicate; }

  // visit(the place of an instruction that the branch may lead to).
  template <class Visit>
  void forEachTarget(u32 i, Visit visit) const {
    if (at(i).opcode == Opcode::bra) visit(at(i).target - begin_);
    if (at(i).opcode != Opcode::brx) return;
    for (const Pc target : program_.branchTables[at(i).target]) visit(target - begin_);
  }

  void findBlocks(std::vector<CodeBlock>& blocks) {
    std::vector<bool> starts(size_ + 1);
    starts[0] = true;
    for (u32 i = 0; i < size_; ++i) {
      if (ends(i)) starts[i + 1] = true;
      forEachTarget(i, [&](u32 target) { starts[target] = true; });
    }
    blockOf_.resize(size_);
    for (u32 i = 0; i < size_; ++i) {
      if (starts[i]) blocks.push_back({i, i});
      blocks.back().end = i + 1;
      blockOf_[i] = static_cast<u32>(blocks.size()) - 1;
    }
  }

  void addEdges(CodeBlocks& code, u32 block) const {
    std::vector<u32>& successors = code.successors[block];
    const auto add = [&](u32 place) {
      if (place >= size_) return;
      if (std::find(successors.begin(), successors.end(), blockOf_[place]) == successors.end()) successors.push_back(blockOf_[place]);
    };
    const u32 last = code.blocks[block].end - 1;
    forEachTarget(last, add);
    if (goesOn(last)) add(last + 1);
  }

  // Control that never jumps back reaches what comes behind; whoever comes to a jump back reaches what it leads to.
  void findReach(std::vector<u32>& reach) const {
    std::vector<u32> leadsTo(size_);  // the least target of the jumps from here on
    for (u32 i = size_; i-- > 0;) {
      leadsTo[i] = i + 1 < size_ ? leadsTo[i + 1] : size_;
      forEachTarget(i, [&](u32 target) { leadsTo[i] = std::min(leadsTo[i], target); });
    }
    reach.resize(size_);
    for (u32 i = 0; i < size_; ++i) {
      u32 first = std::min(i + 1, leadsTo[i]);
      while (first < size_ && leadsTo[first] < first) first = leadsTo[first];
      reach[i] = first;
    }
  }

  const isa::Program& program_;
  const Pc begin_;
  const u32 size_;
  std::vector<u32> blockOf_;
};

}  // namespace

CodeBlocks codeBlocks(const isa::Program& program, const isa::Function& function) { return BlockFinder(program, function).run(); }

}  // namespace warpwright::compiler
