#include "compiler/schedule/memory_order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpwright::compiler {
namespace {

using isa::Space;
using MaybeSpace = std::optional<Space>;

// Everything that meets b meets a.
bool covers(MaybeSpace a, MaybeSpace b) { return a == b || (b && a == Space::generic); }
bool meet(MaybeSpace a, MaybeSpace b) { return covers(a, b) || covers(b, a); }

}  // namespace

bool AddressBase::operator<(const AddressBase& other) const {
  const auto keyOf = [](const isa::Operand& operand) { return std::tuple(operand.kind, operand.negated, operand.index, operand.value); };
  const auto key = [&](const AddressBase& it) { return std::pair(keyOf(it.base), keyOf(it.parameter)); };
  return key(*this) < key(other);
}

std::vector<u32> MemoryOrder::add(u32 index, const MemoryAccess& access) {
  const Access added{index, groupOf(access), access.space, access.isStore};
  if (access.base) orderBytes(index, added.group, access);
  orderGroups(added);
  open(added);
  return std::exchange(preceding_, {});
}

void MemoryOrder::clear() { *this = {}; }

u32 MemoryOrder::groupOf(const MemoryAccess& access) {
  if (!access.space || !access.base) return groups_++;
  const auto [entry, isNew] = groupOf_.try_emplace({*access.space, *access.base}, groups_);
  groups_ += isNew;
  return entry->second;
}

void MemoryOrder::orderBytes(u32 index, u32 group, const MemoryAccess& access) {
  for (u32 i = 0; i < access.bytes; ++i) {
    Byte& byte = bytes_[{group, access.offset + i}];
    if (!access.isStore) {
      if (byte.writer != kNone) preceding_.push_back(byte.writer);
      byte.readers.push_back(index);
      continue;
    }
    if (byte.writer != kNone && byte.readers.empty()) preceding_.push_back(byte.writer);
    preceding_.insert(preceding_.end(), byte.readers.begin(), byte.readers.end());
    byte = {index, {}};
  }
}

void MemoryOrder::orderGroups(const Access& access) {
  const auto close = [&](Open& open) { return closes(access, open); };
  std::erase_if(stores_, close);
  std::erase_if(followedLoads_, close);
  if (!access.isStore) return;
  for (auto& [group, open] : loads_) {
    closes(access, open);
    if (open.followed) followedLoads_.push_back(open);
  }
  std::erase_if(loads_, [](const auto& entry) { return entry.second.followed; });
}

// Orders the access after the open ones as far as needed. True: later accesses need not be ordered after them directly.
// Let s be the follower's store and k the access, of another group in a space that meets its space: s comes before k. If one of the two
// covers the open ones' space, a later access that conflicts with the open ones conflicts with that one too or, being of its group, with
// the other. (That k is a load does no harm after loads, since only stores conflict with those.) Let k be of the open ones' own group: it
// comes after what follows them, and conflicts with all of other groups that they conflict with.
bool MemoryOrder::closes(const Access& access, Open& open) {
  if (!meet(access.space, open.space)) return false;
  const bool conflictsAsMuch = access.isStore || !open.areStores;
  if (access.group == open.group) return conflictsAsMuch && open.followed;
  if (open.follower != kNone && open.follower != access.group && meet(open.followerSpace, access.space))
    return conflictsAsMuch && (covers(open.followerSpace, open.space) || covers(access.space, open.space));
  if (!access.isStore && !open.areStores) return false;
  preceding_.insert(preceding_.end(), open.accesses.begin(), open.accesses.end());
  open.followed = true;
  if (!access.isStore) return false;
  open.follower = access.group;
  open.followerSpace = access.space;
  return false;
}

void MemoryOrder::open(const Access& access) {
  if (!access.isStore) {
    Open& open = loads_.try_emplace(access.group, Open{access.group, access.space, false, {}}).first->second;
    open.accesses.push_back(access.index);
    return;
  }
  const auto found = std::find_if(stores_.begin(), stores_.end(), [&](const Open& open) { return open.group == access.group; });
  Open& open = found != stores_.end() ? *found : stores_.emplace_back(Open{access.group, access.space, true, {}});
  open.accesses.push_back(access.index);
}

}  // namespace warpwright::compiler
