#include "mechanisms/affine_tags/tag_observer.hpp"

#include <algorithm>
#include <bit>

#include "base/lane_count.hpp"
#include "values/vector_class.hpp"

namespace warpwright::mechanisms::affine_tags {
namespace {

// The counter of the class that the values show; null: generic.
template <std::unsigned_integral Word>
u64 ClassStats::*classOf(const Word* lanes, LaneMask active) {
  const auto form = values::affineForm(lanes, active);
  if (!form) return nullptr;
  if (form->stride != 0) return std::has_single_bit(form->stride) ? &ClassStats::powerAffine : &ClassStats::otherAffine;
  return form->base == 0 ? &ClassStats::zero : &ClassStats::uniform;
}

bool isUniform(u64 ClassStats::*c) { return c == &ClassStats::zero || c == &ClassStats::uniform; }

// One register that is moved, with what its values show and its tag says.
struct Moved {
  const u32* lanes;
  bool half;
  const RegisterTag& tag;
  LaneMask existing, executing;
  bool isHigh;  // the high word of a 64-bit integer
  bool byCode;  // the tag speaks of the lanes that execute, not of all
};

void count(OperandStats& operands, UnitOperandStats& unit, const Moved& moved, u64 times) {
  std::array<u16, kMaxWarpSize> low;
  if (moved.half) std::copy_n(moved.lanes, moved.existing.greatest() + 1, low.begin());
  const auto classIn = [&](LaneMask lanes) { return moved.half ? classOf(low.data(), lanes) : classOf(moved.lanes, lanes); };
  const auto all = classIn(moved.existing);
  const auto masked = moved.executing == moved.existing ? all : classIn(moved.executing);
  const Tag tag = moved.half ? moved.tag.low : moved.tag.whole;
  const u64 lanes = countLanes(moved.executing);

  operands.total += times;
  operands.lanes += times * lanes;
  if (all != nullptr) operands.all.*all += times;
  if (masked != nullptr) operands.masked.*masked += times;
  operands.highWords += times * moved.isHigh;
  operands.uniformHighWords += times * (moved.isHigh && isUniform(all));
  unit.total += times;
  unit.uniform += times * isUniform(all);
  unit.affine += times * (all != nullptr);
  unit.maskedUniform += times * isUniform(masked);
  unit.maskedAffine += times * (masked != nullptr);
  operands.taggedUniform += times * (tag == Tag::uniform);
  operands.taggedAffine += times * (tag == Tag::affine);
  operands.lanesMoved += times * lanesOf(tag, lanes);
  const auto promised = moved.byCode ? masked : all;
  const bool isKept = tag == Tag::generic || isUniform(promised) || (tag == Tag::affine && promised == &ClassStats::powerAffine);
  operands.unsound += times * !isKept;
  if (all != nullptr && tag == Tag::generic) operands.missed.add(moved.tag.loss, times);
}

}  // namespace

TagObserver::TagObserver(const exec::LaunchRequest& request, TagRules rules)
    : addressBits_(request.launch->program->program.addressBits),
      warps_(static_cast<u32>((request.launch->block.count() + request.limits.warpSize - 1) / request.limits.warpSize)),
      registers_(request.launch->kernel->registers),
      rules_(rules),
      operations_(request.launch->program->program.code.size()) {
  if (rules.fromCode) static_.emplace(request, rules);
}

void TagObserver::blockBegins(u64 block) {
  if (free_.empty()) {
    free_.push_back(static_cast<u32>(slots_.size()));
    slots_.emplace_back(warps_, TagFile(rules_));
    lastResident_ = nullptr;
  }
  const u32 slot = free_.back();
  free_.pop_back();
  resident_[block] = slot;
  for (TagFile& file : slots_[slot]) file.forget(registers_);
}

void TagObserver::blockEnds(u64 block) {
  const auto found = resident_.find(block);
  if (found == resident_.end()) return;
  free_.push_back(found->second);
  resident_.erase(found);
  lastResident_ = nullptr;
}

TagFile* TagObserver::fileOf(const exec::WarpId& warp) {
  if (lastResident_ == nullptr || warp.block != lastBlock_) {
    const auto found = resident_.find(warp.block);
    if (found == resident_.end()) return nullptr;
    lastResident_ = &slots_[found->second];
    lastBlock_ = warp.block;
  }
  return &(*lastResident_)[warp.warp];
}

const Operation& TagObserver::operationOf(Pc pc, const isa::Instruction& instruction) {
  Operation& operation = operations_[pc];
  if (operation.instruction == nullptr) operation = describe(instruction, addressBits_);
  return operation;
}

void TagObserver::countReads(const exec::IssueEvent& event, u64 times) {
  const TagFile* file = fileOf(event.warp);
  if (file == nullptr || event.executing.empty()) return;
  const Operation& operation = operationOf(event.pc, *event.instruction);
  UnitStats& unit = statistics_.units.of(operation.unit);
  if (static_) file = &static_->before(event.pc);
  for (u32 i = 0; i < operation.readCount; ++i) {
    const u32 number = operation.reads[i];
    const bool half = (operation.readHalves >> i & 1) != 0;
    const RegisterTag& tag = file->at(number);
    if ((half ? tag.low : tag.whole) != Tag::generic) last_.compactReads.set(number);
    count(
        statistics_.reads, unit.reads,
        {event.view.at(number), half, tag, event.view.existing, event.executing, (operation.highReads >> i & 1) != 0, static_.has_value()},
        times);
  }
}

void TagObserver::result(const exec::ResultEvent& event) {
  TagFile* own = fileOf(event.warp);
  if (own == nullptr) return;
  const Operation& operation = operationOf(event.pc, *event.instruction);
  const TagFile& before = static_ ? static_->before(event.pc) : *own;
  const Tag sources = before.leastSource(operation);
  const u32 affineSources = before.affineReads(operation);
  const TagFile& file = static_ ? static_->after(event.pc) : *own;
  const Propagation propagation = static_ ? Propagation{file.leastResult(operation)} : own->apply(operation, event);
  UnitStats& unit = statistics_.units.of(operation.unit);
  for (u32 i = 0; i < operation.writeCount; ++i) {
    const u32 number = operation.writes[i];
    if (file.at(number).whole != Tag::generic) last_.compactWrites.set(number);
    count(statistics_.writes, unit.writes,
          {event.view.at(number), false, file.at(number), event.view.existing, event.written, (operation.highWrites >> i & 1) != 0,
           static_.has_value()},
          1);
  }
  OperationStats& operations = statistics_.operations;
  operations.expansions += propagation.expandedDestinations;
  last_.overflow = propagation.overflow;
  if (!operation.computes) return;
  const Tag needed = either(sources, propagation.result);
  const u64 lanes = countLanes(event.written);
  operations.operations += 1;
  operations.uniform += needed == Tag::uniform;
  operations.affine += needed == Tag::affine;
  operations.overflows += propagation.overflow;
  last_.needed = needed;
  last_.conversions = needed == Tag::generic ? affineSources : 0;
  operations.conversions += last_.conversions;
  operations.lanes += lanes;
  operations.lanesClocked += lanesOf(needed, lanes);
}

}  // namespace warpwright::mechanisms::affine_tags
