#include "sm/access/path.hpp"

#include <algorithm>

namespace warpwright::sm {

void AccessPath::add(LaneStage& stage) {
  stages_.push_back(&stage);
  isTimed_ |= stage.isTimed();
}

void AccessPath::begin(MemoryOperation& operation, LaneAccess& access, const isa::Instruction& instruction,
                       const exec::AccessRecord& record) {
  access.space = record.space;
  access.isStore = record.isStore;
  access.isAtomic = record.isAtomic;
  access.isTexel = record.isTexel;
  access.ordering = instruction.modifiers.ordering;
  access.cache = instruction.modifiers.cache;
  access.bytes = record.bytes;
  access.spread = record.spread;
  access.addresses = record.addresses.data();
  access.isPrefetch = record.isPrefetch;
  access.count = record.count;
  access.asked = access.lanes = record.mask;
  access.passesBeside = access.bankPasses = access.delay = 0;
  const u32 elementBytes = isa::sizeOf(instruction.type);
  access.values = elementBytes < sizeof(u32) ? nullptr : record.values;
  access.parts = elementBytes < sizeof(u32) ? record.values : nullptr;
  access.partBytes = elementBytes;
  if (!isTimed_) return pass(access, operation, operation.issued);
  operation.keep(access, record.addresses);
}

bool AccessPath::expand(MemoryOperation& operation, Cycle now) {
  for (; operation.expanded < operation.kept; ++operation.expanded) {
    LaneAccess access = operation.accesses[operation.expanded].access();
    const auto takes = [&](const LaneStage* stage) { return stage->canAccept(access); };
    if (!std::all_of(stages_.begin(), stages_.end(), takes)) return false;
    pass(access, operation, now);
  }
  return true;
}

void AccessPath::pass(LaneAccess& access, MemoryOperation& operation, Cycle now) {
  for (LaneStage* stage : stages_) stage->access(access, operation, now);
}

}  // namespace warpwright::sm
