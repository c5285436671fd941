#include "profile/data/array_data.hpp"

#include <cstring>

#include "base/demangle.hpp"

namespace warpwright::profile {
namespace {

std::string nameOf(const exec::Allocation* allocation) {
  if (!allocation) return "freed memory";
  if (allocation->kind == exec::AllocationKind::heap) return "allocated by kernels";
  return demangled(allocation->label);
}

u64 bytesOf(const exec::Allocation* allocation) {
  return !allocation || allocation->kind == exec::AllocationKind::heap ? 0 : allocation->size;
}

// Arguments that hold an address within the allocation, structures included.
std::set<u32> argumentsInto(const exec::Allocation& allocation, const exec::Launch& launch) {
  const u64 pointerBytes = launch.program->program.addressBits / 8;
  std::set<u32> result;
  for (u32 i = 0; i < launch.kernel->parameters.size(); ++i) {
    const isa::Parameter& parameter = launch.kernel->parameters[i];
    for (u64 at = 0; at + pointerBytes <= parameter.size; at += pointerBytes) {
      u64 value = 0;
      std::memcpy(&value, launch.parameters.data() + parameter.offset + at, pointerBytes);
      if (allocation.contains(GlobalAddress(value), 1)) result.insert(i);
    }
  }
  return result;
}

}  // namespace

ArrayData& KernelData::arrayOf(const exec::Allocation* allocation) {
  const auto [known, isNew] = byName_.try_emplace({nameOf(allocation), bytesOf(allocation)}, arrays_.size());
  if (isNew) arrays_.push_back({known->first.first, known->first.second, {}, {}, {}});
  return arrays_[known->second];
}

void KernelData::add(const exec::Launch& launch, const LineContents& contents) {
  std::size_t index = 0;
  const exec::Allocation* current = nullptr;
  bool begun = false;
  contents.forEach([&](const LineContents::Line& line) {
    const exec::Allocation* const allocation = contents.memory().find(line.address, 1);
    if (!begun || allocation != current) {
      ArrayData& array = arrayOf(allocation);
      if (allocation) array.arguments.merge(argumentsInto(*allocation, launch));
      index = static_cast<std::size_t>(&array - arrays_.data());
      current = allocation;
      begun = true;
    }
    if (!line.loaded.empty()) arrays_[index].loaded.add(line.loaded);
    if (!line.stored.empty()) arrays_[index].stored.add(line.stored);
  });
}

}  // namespace warpwright::profile
