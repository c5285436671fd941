// What travels through the memory system: one access to bytes of one line, on its way down as a request and back up as a response.
#pragma once

#include <array>
#include <string_view>

#include "base/memory_units.hpp"
#include "base/time.hpp"
#include "base/types.hpp"
#include "mem/origin.hpp"

namespace warpwright::mem {

enum class AccessType : u8 {
  globalRead,
  globalWrite,
  localRead,
  localWrite,
  constantRead,
  textureRead,
  instructionRead,
  atomic,     // performed at the memory partition; the response carries its completion
  writeBack,  // a dirty line that a cache evicts
  prefetch,
};
inline constexpr std::size_t kAccessTypes = 10;
std::string_view name(AccessType type);

constexpr bool isWrite(AccessType type) {
  return type == AccessType::globalWrite || type == AccessType::localWrite || type == AccessType::writeBack;
}

// Sectors of a line, of which there are eight at most, in a set of them. A count of bits is a call, as no host instruction for it is taken
// for granted: counts of four bits are looked up.
constexpr u32 sectorCount(u32 sectors) {
  constexpr u64 kCounts = 0x4332'3221'3221'2110;  // hexadecimal digit d: the bits of d
  return static_cast<u32>((kCounts >> (sectors & 15) * 4 & 15) + (kCounts >> (sectors >> 4 & 15) * 4 & 15));
}

// Of each sector of a line a word, bit b of which stands for byte b of the sector.
using SectorBytes = std::array<u32, kLongestLineBytes / kSectorBytes>;

// What a request has that no machine has sent: the default of network.header_bytes.
inline constexpr u32 kHeaderBytes = 8;

struct Request {
  GlobalAddress address;  // first byte of the line, aligned to it
  u32 lineBytes = 0;      // size of that line: 32 … 256
  u32 sectors = 0;        // bit s: bytes [32 s, 32 s + 32) of the line are read or written
  u32 wholeSectors = 0;   // writes: sectors written in full; the others need a merge below
  SectorBytes written{};  // writes: of sectors not written in full, bytes that are; none: the sender does not know which
  AccessType type = AccessType::globalRead;
  bool isResponse = false;
  bool wasMissed = false;         // responses: a cache did not have all of it, and asked below or had asked already
  bool wantsResponse = true;      // reads and atomics always; writes when the sender counts acknowledgements
  u8 encoding = 0;                // of the data that it carries, as whoever encoded them numbers it; 0: as they are
  bool mustMerge = false;         // writes: to a part of an encoded line, which no cache may refuse (LinePlacement::takesParts())
  u8 pieces = 0;                  // pieces of kPieceBytes that the data take on their way and in DRAM; 0: as many as its sectors
  u8 headerBytes = kHeaderBytes;  // that it takes on a link beside its data: address, type and tags
  u16 memoryPort = 0;             // which of the network's ports at the memory partitions leads to the address
  bool crosses = false;           // its sender, an SM or a slice of L2, is in the other half of the chip than the address
  u16 operations = 0;             // atomic: read-modify-write operations of the unit, one for each lane's distinct word or conflict
  u16 repeats = 0;                // atomic: of these, beyond the first on the word that most of them update; 0 where nobody asks
  u8 along = 0;                   // reads: a wish; sectors of the line that a cache which has to fetch some fetches too, if it keeps lines
  Origin origin;                  // who asked; of a write-back, who wrote the line last. The SM is the one that sent it
  u32 id = 0;                     // the sender's own: comes back unchanged
  Cycle born{};                   // when the sender sent it

  // A slice of L2 reads it from its partner in the other half, and is answered there.
  bool isForPartner() const { return crosses && !isWrite(type) && type != AccessType::atomic; }
  // What is read or written.
  u32 dataBytes() const { return sectorCount(sectors) * kSectorBytes; }
  // What travels of it.
  u32 travellingBytes() const { return pieces == 0 ? dataBytes() : pieces * kPieceBytes; }
  // Bytes on a link: the header, and the data when this direction carries it.
  u32 wireBytes() const {
    const bool carriesData = isResponse ? !isWrite(type) : isWrite(type) || type == AccessType::atomic;
    return headerBytes + (carriesData ? travellingBytes() : 0);
  }

  bool operator==(const Request&) const = default;

  static constexpr u32 kSectorBytes = warpwright::kSectorBytes, kPieceBytes = 32;
};

// For events of lines that no access caused.
inline constexpr Request kNoRequest{};

}  // namespace warpwright::mem
