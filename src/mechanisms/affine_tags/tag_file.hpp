// The tags of one warp's registers, and how they follow what its instructions do.
#pragma once

#include <vector>

#include "exec/observer.hpp"
#include "mechanisms/affine_tags/operands.hpp"
#include "mechanisms/affine_tags/tag.hpp"

namespace warpwright::mechanisms::affine_tags {

struct TagRules {
  bool powersAsShifts = false;  // a product with a constant power of two follows the rule of shifts
  bool fromCode = false;        // tags are the compiler's: see static_tags.hpp
};

// What the tags made of a result.
struct Propagation {
  Tag result = Tag::generic;     // the least of its registers and predicates; uniform when it has none
  bool overflow = false;         // an affine value did not fit: issued again as a vector operation
  u32 expandedDestinations = 0;  // affine or uniform registers that a partial write makes generic ones
};

class TagFile {
 public:
  TagFile() = default;
  explicit TagFile(TagRules rules) : rules_(rules) {}

  // Before a warp's first instruction: nothing is known of its registers.
  void forget(u32 registers);

  const RegisterTag& at(u32 number) const { return number < registers_.size() ? registers_[number] : unwritten_; }
  Tag predicate(u32 number) const { return uniformPredicates_ >> number & 1 ? Tag::uniform : Tag::generic; }
  // The least of an operand's registers; constants are uniform.
  Tag of(const OperandLocation& operand) const;

  // The least of all sources; uniform when there are none.
  Tag leastSource(const Operation& operation) const;
  // The least of all destinations.
  Tag leastResult(const Operation& operation) const;
  // Registers read whose tag is affine.
  u32 affineReads(const Operation& operation) const;

  // For analyses of code, which know no values (static_tags.hpp).
  void set(const OperandLocation& operand, const RegisterTag& tag);  // of the low word; high words are uniform
  void lose(u32 number, Loss loss);
  void losePredicates(u64 numbers) { uniformPredicates_ &= ~numbers; }
  // What is known when either state may have come before. True: less than in this one.
  bool join(const TagFile& other);

  // The registers hold the results by now. A view without registers: no values are known, and affine results are taken not to overflow.
  Propagation apply(const Operation& operation, const exec::ResultEvent& event);

 private:
  struct Outcome;

  RegisterTag& slot(u32 number);
  Tag word(const OperandLocation& operand, u32 index) const;
  Loss lossOf(const Operation& operation, const Outcome& outcome) const;

  Outcome outcomeOf(const Operation& operation, const exec::ResultEvent& event) const;
  Outcome arithmetic(const Operation& operation, const exec::ResultEvent& event) const;
  Tag arithmeticWord(const Operation& operation, u32 index) const;
  Tag product(const Operation& operation) const;
  Tag highOfProduct(const Operation& operation) const;
  Outcome converted(const Operation& operation, const exec::ResultEvent& event) const;
  Outcome moved(const Operation& operation, const exec::ResultEvent& event) const;
  Outcome special(const Operation& operation, const exec::ResultEvent& event) const;
  Outcome loaded(const Operation& operation) const;
  Outcome grouped(const Operation& operation, const exec::ResultEvent& event) const;

  static constexpr RegisterTag unwritten_{};
  TagRules rules_;
  std::vector<RegisterTag> registers_;
  u64 uniformPredicates_ = 0;  // a bit each
};

}  // namespace warpwright::mechanisms::affine_tags
