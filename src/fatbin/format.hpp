// The layout of fat binaries in memory, little endian, as CUDA 11 to 13 write it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>

#include "base/types.hpp"

namespace warpwright::fatbin {

static_assert(std::endian::native == std::endian::little, "the structures below are read as they lie");

constexpr u32 kWrapperMagic = 0x466243b1;
constexpr u32 kContainerMagic = 0xba55ed50;
constexpr u16 kContainerVersion = 1;
constexpr u16 kEntryVersion = 0x0101;
constexpr u16 kKindPtx = 1;
constexpr u16 kKindElf = 2;

constexpr u64 kFlag64Bit = 0x1;
constexpr u64 kFlagLz4 = 0x2000;
constexpr u64 kFlagZstd = 0x8000;
constexpr u64 kFlagArchitectureAlone = 0x10'0000;
constexpr u64 kFlagFamily = 0x20'0000;

struct Wrapper {
  u32 magic;
  u32 version;
  const void* data;
  // Version 2: array of pointers to containers, ended by a null pointer.
  const void* const* units;
};
static_assert(sizeof(Wrapper) == 24);

struct ContainerHeader {
  u32 magic;
  u16 version;
  u16 headerSize;
  u64 size;  // of the entries; 0: not told
};
static_assert(sizeof(ContainerHeader) == 16);

struct EntryHeader {
  u16 kind;
  u16 version;
  u32 headerSize;
  u64 payloadSize;     // padded to 8 bytes
  u32 compressedSize;  // 0: not compressed
  u32 optionsOffset;   // of {u32 offset, u32 length} of the assembler's options; all offsets are from the entry
  u16 isaMinor, isaMajor;
  u32 architecture;
  u32 nameOffset, nameLength;
  u64 flags;
  u64 reserved;
  u64 uncompressedSize;
};
static_assert(sizeof(EntryHeader) == 0x40);

// The caller has checked that there are enough bytes.
template <typename T>
T load(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// Reads no further than the first byte that differs: what lies in memory may be a shorter text.
inline bool startsWith(std::span<const std::byte> bytes, u32 magic) {
  for (std::size_t i = 0; i < sizeof magic; ++i)
    if (i >= bytes.size() || bytes[i] != static_cast<std::byte>(magic >> (8 * i))) return false;
  return true;
}

}  // namespace warpwright::fatbin
