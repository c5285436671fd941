#include "mechanisms/affine_tags/tag_file.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::mechanisms::affine_tags {

using isa::Across;
using Kind = OperandLocation::Kind;

// Tags of a result: its words, low words first, alike in all destinations unless `second` says otherwise.
struct TagFile::Outcome {
  RegisterTag low, high;  // of 64-bit results, the two words; otherwise `low` is that of every register
  RegisterTag second;     // of the second destination
  bool wordsDiffer = false, destinationsDiffer = false;
  Tag predicate = Tag::generic;
  bool overflow = false;

  static Outcome all(const RegisterTag& tag, Tag ofPredicate) { return {tag, tag, tag, false, false, ofPredicate, false}; }
  static Outcome all(Tag tag) {
    return all(tag == Tag::uniform ? RegisterTag::uniform() : RegisterTag{tag, tag, Tag::generic},
               tag == Tag::uniform ? Tag::uniform : Tag::generic);
  }
  // As vectors without structure, after an operation that showed an overflow.
  static Outcome reissued() {
    Outcome outcome = all(Tag::generic);
    outcome.overflow = true;
    return outcome;
  }
};

namespace {

// Without values no affine result overflows, as compilers take for granted.
bool showsUniform(const u32* lanes, LaneMask existing) { return lanes == nullptr || isUniform(lanes, existing); }
bool showsAffine(const u32* lanes, LaneMask existing) { return lanes == nullptr || isAffine(lanes, existing); }

// The tag of a 32-bit result. The low half of an affine vector is affine modulo 2^16; the high half is uniform if no lane carried into it.
RegisterTag whole(Tag tag, const u32* lanes, LaneMask existing) {
  if (tag == Tag::uniform) return RegisterTag::uniform();
  if (tag == Tag::generic) return {};
  if (lanes == nullptr) return {Tag::affine, Tag::affine, Tag::generic};
  std::array<u32, kMaxWarpSize> high{};
  const u32 count = existing.greatest() + 1;
  for (u32 lane = 0; lane < count; ++lane) high[lane] = lanes[lane] >> 16;
  return {Tag::affine, Tag::affine, isUniform(high.data(), existing) ? Tag::uniform : Tag::generic};
}

// The tag of a 16-bit result in a register, extended by zeros or its sign. As a whole it is affine if no lane overflowed 16 bits.
RegisterTag extended(Tag tag, bool isSigned, const u32* lanes, LaneMask existing) {
  if (tag == Tag::uniform) return RegisterTag::uniform();
  const Tag high = isSigned ? Tag::generic : Tag::uniform;
  if (tag == Tag::generic) return {Tag::generic, Tag::generic, high};
  return {showsAffine(lanes, existing) ? Tag::affine : Tag::generic, Tag::affine, high};
}

// Null: there are no values.
const u32* resultOf(const Operation& operation, const exec::ResultEvent& event, u32 word = 0, u32 destination = 0) {
  return event.view.registers == nullptr ? nullptr : event.view.at(operation.destinations[destination].first + word);
}

bool isPowerOfTwo(const isa::Operand& operand) {
  return operand.kind == isa::Operand::Kind::immediate && std::has_single_bit(operand.value);
}

Loss lossIn(const isa::Instruction& instruction) {
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  if (row.across == Across::special) return Loss::other;
  switch (row.work) {
    case isa::Work::multiply:
      return Loss::multiplication;
    case isa::Work::divide:
      return Loss::division;
    case isa::Work::special:
      return isa::isFloat(instruction.type) ? Loss::division : Loss::logic;
    case isa::Work::count:
      return Loss::logic;
    case isa::Work::memory:
      return Loss::load;
    case isa::Work::convert:
      return Loss::conversion;
    case isa::Work::arithmetic:
      return isa::isFloat(instruction.type) ? Loss::conversion : Loss::other;
    case isa::Work::simple:
    case isa::Work::shift:
      return row.across == Across::lanewise ? Loss::logic : Loss::other;
    default:
      return Loss::other;
  }
}

}  // namespace

void TagFile::forget(u32 registers) {
  registers_.assign(registers, {});
  uniformPredicates_ = 0;
}

void TagFile::set(const OperandLocation& operand, const RegisterTag& tag) {
  for (u32 index = 0; index < operand.words; ++index) slot(operand.first + index) = index == 0 ? tag : RegisterTag::uniform();
}

void TagFile::lose(u32 number, Loss loss) { slot(number) = RegisterTag::generic(loss); }

bool TagFile::join(const TagFile& other) {
  bool changed = false;
  for (u32 number = 0; number < other.registers_.size(); ++number) {
    RegisterTag& mine = slot(number);
    const RegisterTag& theirs = other.registers_[number];
    const RegisterTag joined{either(mine.whole, theirs.whole), either(mine.low, theirs.low), either(mine.high, theirs.high),
                             mine.whole == Tag::generic ? mine.loss : theirs.loss};
    changed |= joined.whole != mine.whole || joined.low != mine.low || joined.high != mine.high;
    mine = joined;
  }
  const u64 uniform = uniformPredicates_ & other.uniformPredicates_;
  changed |= uniform != uniformPredicates_;
  uniformPredicates_ = uniform;
  return changed;
}

RegisterTag& TagFile::slot(u32 number) {
  if (number >= registers_.size()) registers_.resize(number + 1);
  return registers_[number];
}

Tag TagFile::word(const OperandLocation& operand, u32 index) const {
  switch (operand.kind) {
    case Kind::none:
    case Kind::constant:
      return Tag::uniform;
    case Kind::predicate:
      return predicate(operand.first);
    case Kind::registers:
      break;
  }
  const RegisterTag& tag = at(operand.first + std::min<u32>(index, operand.words - 1u));
  return operand.half ? tag.low : tag.whole;
}

Tag TagFile::of(const OperandLocation& operand) const {
  Tag least = word(operand, 0);
  for (u32 index = 1; index < operand.words; ++index) least = either(least, word(operand, index));
  return least;
}

Tag TagFile::leastSource(const Operation& operation) const {
  Tag least = Tag::uniform;
  for (const OperandLocation& source : operation.sources) least = either(least, of(source));
  return least;
}

Tag TagFile::leastResult(const Operation& operation) const {
  Tag least = Tag::uniform;
  for (const OperandLocation& destination : operation.destinations) {
    if (destination.kind == Kind::predicate) least = either(least, predicate(destination.first));
    for (u32 index = 0; index < destination.words; ++index) least = either(least, at(destination.first + index).whole);
  }
  return least;
}

u32 TagFile::affineReads(const Operation& operation) const {
  u32 count = 0;
  for (u32 i = 0; i < operation.readCount; ++i) {
    const RegisterTag& tag = at(operation.reads[i]);
    count += (operation.readHalves >> i & 1 ? tag.low : tag.whole) == Tag::affine;
  }
  return count;
}

// Half registers and products with constants aside, these are the paper's tables.
Tag TagFile::product(const Operation& operation) const {
  const auto& sources = operation.sources;
  const Tag a = word(sources[0], 0), b = word(sources[1], 0);
  if (rules_.powersAsShifts) {
    const auto& operands = operation.instruction->sources;
    if (isPowerOfTwo(operands[1])) return shiftLeft(a, b);
    if (isPowerOfTwo(operands[0])) return shiftLeft(b, a);
  }
  return values::product(a, b);
}

// Of the high words that are multiplied, if any: what the low words give is found by looking for carries.
Tag TagFile::highOfProduct(const Operation& operation) const {
  const auto highOf = [&](const OperandLocation& operand) { return operand.words == 2 ? word(operand, 1) : Tag::uniform; };
  return lanewise(highOf(operation.sources[0]), highOf(operation.sources[1]));
}

Tag TagFile::arithmeticWord(const Operation& operation, u32 index) const {
  const auto& sources = operation.sources;
  const Tag a = word(sources[0], index), b = word(sources[1], index);
  switch (operation.across) {
    case Across::sum:
    case Across::address:
      return sum(a, b);
    case Across::difference:
      return difference(a, b);
    case Across::shift_left:
      return shiftLeft(a, of(sources[1]));
    case Across::product:
      return index == 0 ? product(operation) : highOfProduct(operation);
    case Across::product_sum:
      return sum(index == 0 ? product(operation) : highOfProduct(operation), word(sources[2], index));
    default:
      return Tag::generic;
  }
}

TagFile::Outcome TagFile::arithmetic(const Operation& operation, const exec::ResultEvent& event) const {
  if (leastSource(operation) == Tag::uniform) return Outcome::all(Tag::uniform);
  const OperandLocation& destination = operation.destinations[0];
  const LaneMask existing = event.view.existing;
  const Tag low = arithmeticWord(operation, 0);
  if (destination.words == 1) {
    const u32* lanes = resultOf(operation, event);
    if (destination.half) return Outcome::all(extended(low, isa::isSigned(operation.instruction->type), lanes, existing), Tag::generic);
    // A product of halves is a whole word, of which the halves' tags say nothing unless they are uniform.
    if (operation.bytes == 2) return Outcome::all(Tag::generic);
    return Outcome::all(whole(low, lanes, existing), Tag::generic);
  }
  // Of wide results the high word is uniform if all operands' are and no carry tells lanes apart. A wide shift and a wide product move bits
  // from the low word into the high one.
  if (low == Tag::generic || arithmeticWord(operation, 1) != Tag::uniform) return Outcome::all(Tag::generic);
  if (low == Tag::affine && !showsUniform(resultOf(operation, event, 1), existing)) return Outcome::reissued();
  if (low == Tag::uniform) return Outcome::all(Tag::generic);
  Outcome outcome;
  outcome.low = whole(low, resultOf(operation, event), existing);
  outcome.high = RegisterTag::uniform();
  outcome.wordsDiffer = true;
  return outcome;
}

// From 16, 32 or 64 bits to as many.
TagFile::Outcome TagFile::converted(const Operation& operation, const exec::ResultEvent& event) const {
  const isa::Instruction& instruction = *operation.instruction;
  const OperandLocation& destination = operation.destinations[0];
  const LaneMask existing = event.view.existing;
  const bool isSigned = isa::isSigned(instruction.sourceType);
  const Tag source = word(operation.sources[0], 0);
  const u32* lanes = resultOf(operation, event);
  if (destination.half) {
    const bool fromHalf = operation.sources[0].half;
    const RegisterTag from = operation.sources[0].kind == Kind::registers ? at(operation.sources[0].first) : RegisterTag::uniform();
    return Outcome::all(extended(fromHalf ? source : from.low, isa::isSigned(instruction.type), lanes, existing), Tag::generic);
  }
  Tag low = source;
  if (operation.sources[0].half && low == Tag::affine && !showsAffine(lanes, existing)) return Outcome::reissued();
  if (destination.words == 1) return Outcome::all(whole(low, lanes, existing), Tag::generic);

  Outcome outcome;
  outcome.low = whole(low, lanes, existing);
  outcome.wordsDiffer = true;
  if (operation.sources[0].words == 2) {
    outcome.high = whole(word(operation.sources[0], 1), resultOf(operation, event, 1), existing);
  } else if (!isSigned || low == Tag::uniform) {
    outcome.high = RegisterTag::uniform();
  } else if (low == Tag::affine) {
    if (!showsUniform(resultOf(operation, event, 1), existing)) return Outcome::reissued();
    outcome.high = RegisterTag::uniform();
  }
  return outcome;
}

// Copies, selections, and moves of halves.
TagFile::Outcome TagFile::moved(const Operation& operation, const exec::ResultEvent& event) const {
  const LaneMask existing = event.view.existing;
  const auto& sources = operation.sources;
  const auto halfOf = [&](const OperandLocation& operand) {
    return operand.kind == Kind::registers ? at(operand.first).low : word(operand, 0);
  };
  const u32* lanes = resultOf(operation, event);
  if (operation.across == Across::pack) {
    const Tag low = halfOf(sources[0]), high = halfOf(sources[1]);
    const bool mayBeAffine = low != Tag::generic && high == Tag::uniform;
    RegisterTag tag{mayBeAffine && showsAffine(lanes, existing) ? Tag::affine : Tag::generic, low, high};
    if (low == Tag::uniform && high == Tag::uniform) tag = RegisterTag::uniform();
    return Outcome::all(tag, Tag::generic);
  }
  if (operation.across == Across::unpack) {
    const RegisterTag from = sources[0].kind == Kind::registers ? at(sources[0].first) : RegisterTag::uniform();
    Outcome outcome = Outcome::all(extended(from.low, false, lanes, existing), Tag::generic);
    outcome.second = extended(from.high, false, resultOf(operation, event, 0, 1), existing);
    outcome.destinationsDiffer = true;
    return outcome;
  }
  const bool selects = operation.across == Across::select;
  if (selects && of(sources[2]) != Tag::uniform) return Outcome::all(Tag::generic);
  const auto tagAt = [&](u32 index) {
    const Tag tag = selects ? either(word(sources[0], index), word(sources[1], index)) : word(sources[0], index);
    const u32* word = resultOf(operation, event, index);
    if (operation.destinations[0].half) return extended(tag, isa::isSigned(operation.instruction->type), word, existing);
    return whole(tag, word, existing);
  };
  Outcome outcome = Outcome::all(tagAt(0), Tag::generic);
  if (operation.destinations[0].words == 2) {
    outcome.high = tagAt(1);
    outcome.wordsDiffer = true;
  }
  return outcome;
}

// The numbers of threads are known at launch, with the shape of the block.
TagFile::Outcome TagFile::special(const Operation& operation, const exec::ResultEvent& event) const {
  using isa::SpecialRegister;
  const SpecialRegister which = operation.instruction->modifiers.special;
  const bool differs = which <= SpecialRegister::tid_z || which == SpecialRegister::laneid;
  const bool isMask = which >= SpecialRegister::lanemask_eq && which <= SpecialRegister::lanemask_gt;
  if (isMask) return Outcome::all(Tag::generic);
  if (!differs) return Outcome::all(Tag::uniform);
  const u32* lanes = resultOf(operation, event);
  if (lanes == nullptr) return Outcome::all(Tag::generic);
  const LaneMask existing = event.view.existing;
  const Tag tag = isUniform(lanes, existing) ? Tag::uniform : isAffine(lanes, existing) ? Tag::affine : Tag::generic;
  Outcome outcome = Outcome::all(whole(tag, lanes, existing), Tag::generic);
  outcome.high = RegisterTag::uniform();
  outcome.wordsDiffer = operation.destinations[0].words == 2;
  return outcome;
}

// A word of constant, parameter or shared memory that all lanes ask for is broadcast.
TagFile::Outcome TagFile::loaded(const Operation& operation) const {
  const isa::Space space = operation.instruction->modifiers.space;
  const bool broadcasts = space == isa::Space::constant || space == isa::Space::param || space == isa::Space::shared;
  return Outcome::all(broadcasts && of(operation.sources[0]) == Tag::uniform ? Tag::uniform : Tag::generic);
}

// The same for all lanes that name the same members. Lanes of a warp of 64 see halves of their masks.
TagFile::Outcome TagFile::grouped(const Operation& operation, const exec::ResultEvent& event) const {
  const isa::Opcode opcode = operation.instruction->opcode;
  if (opcode == isa::Opcode::bar_red) return Outcome::all(Tag::uniform);
  if (event.view.lanes > 32 || (opcode == isa::Opcode::match && !operation.instruction->modifiers.matchAll))
    return Outcome::all(Tag::generic);
  const OperandLocation& members = operation.sources[opcode == isa::Opcode::elect ? 0 : 1];
  const bool isOneGroup = opcode == isa::Opcode::activemask || of(members) == Tag::uniform;
  Outcome outcome = Outcome::all(isOneGroup ? Tag::uniform : Tag::generic);
  if (opcode == isa::Opcode::elect) outcome.predicate = Tag::generic;
  return outcome;
}

TagFile::Outcome TagFile::outcomeOf(const Operation& operation, const exec::ResultEvent& event) const {
  switch (operation.across) {
    case Across::none:
    case Across::scattered:
      return Outcome::all(Tag::generic);
    case Across::lanewise:
      return Outcome::all(leastSource(operation) == Tag::uniform ? Tag::uniform : Tag::generic);
    case Across::copy:
    case Across::select:
    case Across::pack:
    case Across::unpack:
      return moved(operation, event);
    case Across::sum:
    case Across::difference:
    case Across::product:
    case Across::product_sum:
    case Across::shift_left:
    case Across::address:
      return arithmetic(operation, event);
    case Across::convert:
      return converted(operation, event);
    case Across::special:
      return special(operation, event);
    case Across::load:
      return loaded(operation);
    case Across::group:
      return grouped(operation, event);
  }
  return Outcome::all(Tag::generic);
}

// What the instruction's sources lost already, or what it loses itself.
Loss TagFile::lossOf(const Operation& operation, const Outcome& outcome) const {
  if (outcome.overflow) return Loss::overflow;
  const Loss own = lossIn(*operation.instruction);
  if (own == Loss::load || operation.across == Across::group || operation.across == Across::scattered) return own;
  for (const OperandLocation& source : operation.sources) {
    if (source.kind != Kind::registers) continue;
    for (u32 index = 0; index < source.words; ++index) {
      if (word(source, index) == Tag::generic) return at(source.first + index).loss;
    }
  }
  return own;
}

Propagation TagFile::apply(const Operation& operation, const exec::ResultEvent& event) {
  const bool isPartial = event.written != event.view.existing;
  const Outcome outcome = outcomeOf(operation, event);
  const Loss loss = lossOf(operation, outcome);
  Propagation result{Tag::uniform, outcome.overflow, 0};

  for (std::size_t i = 0; i < operation.destinations.size(); ++i) {
    const OperandLocation& destination = operation.destinations[i];
    if (destination.kind == Kind::predicate) {
      const bool uniform = !isPartial && outcome.predicate == Tag::uniform;
      uniformPredicates_ = (uniformPredicates_ & ~(u64{1} << destination.first)) | u64{uniform} << destination.first;
      if (!uniform) result.result = Tag::generic;
    }
    if (destination.kind != Kind::registers) continue;
    for (u32 index = 0; index < destination.words; ++index) {
      RegisterTag tag = outcome.wordsDiffer && index % 2 == 1 ? outcome.high : outcome.low;
      if (i == 1 && outcome.destinationsDiffer) tag = outcome.second;
      tag.loss = loss;
      RegisterTag& held = slot(destination.first + index);
      if (isPartial) {
        result.expandedDestinations += held.whole != Tag::generic;
        tag = RegisterTag::generic(tag.whole == Tag::generic ? loss : Loss::partialWrite);
      }
      held = tag;
      result.result = either(result.result, tag.whole);
    }
  }
  return result;
}

}  // namespace warpwright::mechanisms::affine_tags
