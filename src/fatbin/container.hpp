// The fat binary container: how CUDA compilers embed device code, as PTX and as machine code, for one architecture or several.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"

namespace warpwright::fatbin {

// Device code is there, but nothing of it is PTX. The remedy names the compiler option that adds PTX.
class NoPtx : public Error {
  using Error::Error;
};

enum class Kind : u8 { ptx, elf, other };
enum class Compression : u8 { none, lz4, zstd, unknown };

// What an entry was compiled for.
struct Architecture {
  u32 version = 0;  // 75 of sm_75
  // 'a': for this architecture alone; 'f': for its family; 0: for it and everything later.
  char suffix = 0;

  // "sm_75", "sm_90a"; "unknown" where the version is 0.
  std::string name() const;
  bool operator==(const Architecture&) const = default;
};

// One piece of device code. It keeps a view of the bytes that it was read from; nothing is decompressed before it is asked for.
struct Entry {
  Kind kind = Kind::other;
  u16 kindCode = 0;  // as stored
  Architecture architecture;
  u32 isaMajor = 0, isaMinor = 0;  // for PTX its ISA version; otherwise of the encoding
  u32 addressBits = 64;
  u64 flags = 0;        // as stored, with the bits that have no meaning here
  std::string name;     // of the source; mostly empty
  std::string options;  // for the assembler, such as " -maxrregcount=32 "; mostly empty
  Compression compression = Compression::none;
  std::span<const std::byte> stored;
  u64 size = 0;        // bytes when decompressed
  std::string origin;  // for messages: the file, or the program
  u64 offset = 0;      // of the entry in its origin

  // The bytes, decompressed. Throws Error when the compressed data are damaged.
  std::string payload() const;
  // The PTX text, without the NULs that end it. Throws Error for damaged data and for an entry that is not PTX.
  std::string ptx() const;
  // N of the assembler's option -maxrregcount=N. Throws Error when N is not a number from 1 up.
  std::optional<u32> registerBound() const;
};

// The device code of one translation unit, for the architectures that it was compiled for.
struct Container {
  std::vector<Entry> entries;
  std::string origin;
  u64 offset = 0;

  bool hasPtx() const;
};

// Every container in the bytes: containers one after another, with NULs between them, as in a .nv_fatbin section. A PTX text, ended by a
// NUL or by the last byte, is a container with one entry. Reads headers only and keeps views of the bytes.
// Throws Error, with the offset, when something is truncated, has an impossible size or is neither container nor PTX.
std::vector<Container> read(std::span<const std::byte> bytes, const std::string& origin);

}  // namespace warpwright::fatbin
