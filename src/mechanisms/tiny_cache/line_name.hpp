// What the tag of a line says: global, private or shared memory, of shared memory whose, and the number of the line there.
#pragma once

#include "base/types.hpp"

namespace warpwright::mechanisms::tiny_cache {

enum class Space : u8 { global, shared, privateMemory };

// Lines of shared memory are numbered from the beginning of their block's, whose first warp slot stands for the block; those of private
// memory lie where it lies in the memory system, interleaved (sm/address_spaces.hpp). The set of a line follows from its number in any
// space.
class LineName {
 public:
  constexpr LineName() = default;
  static constexpr LineName global(u64 number) { return LineName(number); }
  static constexpr LineName privateMemory(u64 number) { return LineName(kPrivate | number); }
  static constexpr LineName shared(SlotId block, u64 number) { return LineName(kShared | u64{block} << kBlockShift | number); }

  constexpr bool isShared() const { return (bits_ & kShared) != 0; }
  constexpr bool isPrivate() const { return !isShared() && (bits_ & kPrivate) != 0; }
  constexpr Space space() const { return isShared() ? Space::shared : isPrivate() ? Space::privateMemory : Space::global; }
  constexpr SlotId block() const { return SlotId(static_cast<u32>(bits_ >> kBlockShift & (kBlocks - 1))); }
  constexpr u64 number() const { return isShared() ? bits_ & ((u64{1} << kBlockShift) - 1) : bits_ & ~kPrivate; }
  // Of its first byte: in the memory system, or in the shared memory of its block.
  constexpr GlobalAddress address(u32 lineBytes) const { return GlobalAddress(number() * lineBytes); }
  constexpr SharedOffset offset(u32 lineBytes) const { return SharedOffset(number() * lineBytes); }
  constexpr bool operator==(const LineName&) const = default;

 private:
  static constexpr u64 kShared = u64{1} << 63, kPrivate = u64{1} << 62, kBlocks = 64;
  static constexpr u32 kBlockShift = 48;

  constexpr explicit LineName(u64 bits) : bits_(bits) {}

  u64 bits_ = 0;
};

}  // namespace warpwright::mechanisms::tiny_cache
