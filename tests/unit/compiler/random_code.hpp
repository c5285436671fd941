// Random machine code over words, pairs, vectors and predicates, with copies, guards, branches forward and back.
#pragma once

#include <random>
#include <vector>

#include "machine_builder.hpp"

namespace warpwright::compiler {

class RandomCode {
 public:
  explicit RandomCode(u32 seed) : random_(seed) {}

  using Operand = isa::Operand;

  // `definesAll`: everything is written before it is read.
  void fill(MachineBuilder& b, bool definesAll = false) {
    for (u32 i = 0; i < 10; ++i) words_.push_back(b.word());
    for (u32 i = 0; i < 5; ++i) pairs_.push_back(b.pair());
    for (u32 i = 0; i < 4; ++i) predicates_.push_back(b.predicate());
    if (definesAll) define(b);
    std::vector<u32> labels;
    for (u32 i = 0; i < 6; ++i) labels.push_back(b.label());
    for (u32 i = 0; i < 60; ++i) {
      if (i % 10 == 5) b.bind(labels[i / 10]);
      step(b, labels);
    }
    b.exit();
  }

 private:
  void define(MachineBuilder& b) {
    for (const Operand& word : words_) b.emit(isa::Opcode::ld, isa::DataType::u32, {word}, {});
    for (const Operand& pair : pairs_) b.emit(isa::Opcode::ld, isa::DataType::u64, {pair}, {});
    for (const Operand& predicate : predicates_) b.compare(predicate, words_[0], words_[1]);
  }

  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[random_() % list.size()];
  }

  void step(MachineBuilder& b, const std::vector<u32>& labels) {
    const bool guarded = random_() % 4 == 0;
    const auto guard = [&](MachineInstruction& instruction) {
      if (guarded) instruction.guard = pick(predicates_);
    };
    switch (random_() % 8) {
      case 0:
        return guard(b.add(pick(words_), pick(words_), pick(words_)));
      case 1:
        return guard(b.move(pick(words_), pick(words_)));
      case 2:
        return guard(b.emit(isa::Opcode::add, isa::DataType::u64, {pick(pairs_)}, {pick(pairs_), pick(pairs_)}));
      case 3:
        return guard(b.move(pick(words_), Operand::makeRegister(pick(pairs_).index + random_() % 2)));
      case 4:
        return guard(b.compare(pick(predicates_), pick(words_), pick(words_)));
      case 5: {
        const Operand group = b.vector(4);
        for (u32 w = 0; w < 4; ++w) b.move(Operand::makeRegister(group.index + w), pick(words_));
        b.store(group, isa::DataType::u32, 4);
        return;
      }
      case 6:
        b.branchIf(pick(predicates_), pick(labels));
        return;
      default:
        return guard(b.store(pick(words_)));
    }
  }

  std::mt19937 random_;
  std::vector<Operand> words_, pairs_, predicates_;
};

}  // namespace warpwright::compiler
