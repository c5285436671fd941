#include "fatbin/container_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "fatbin/format.hpp"
#include "fatbin/ptx_header.hpp"

namespace warpwright::fatbin {
namespace {

using Bytes = std::span<const std::byte>;

bool isPadding(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::string textAt(Bytes bytes, u64 offset, u64 length) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + offset, length);
  return std::string(text.substr(0, text.find('\0')));
}

// Bytes that do not say something else where older compilers may have put it count as no options.
std::string optionsOf(const EntryHeader& header, Bytes headerBytes) {
  constexpr u64 pair = 2 * sizeof(u32);
  if (header.optionsOffset < sizeof header || headerBytes.size() < pair || header.optionsOffset > headerBytes.size() - pair) return {};
  const u64 offset = load<u32>(headerBytes.subspan(header.optionsOffset));
  const u64 length = load<u32>(headerBytes.subspan(header.optionsOffset + sizeof(u32)));
  if (offset > headerBytes.size() || length > headerBytes.size() - offset) return {};
  return textAt(headerBytes, offset, length);
}

Kind kindOf(u16 code) { return code == kKindPtx ? Kind::ptx : code == kKindElf ? Kind::elf : Kind::other; }

Compression compressionOf(const EntryHeader& header) {
  if (header.compressedSize == 0) return Compression::none;
  if (header.flags & kFlagZstd) return Compression::zstd;
  return header.flags & kFlagLz4 ? Compression::lz4 : Compression::unknown;
}

char suffixOf(u64 flags) { return flags & kFlagArchitectureAlone ? 'a' : flags & kFlagFamily ? 'f' : '\0'; }

EntryHeader checkedHeader(Bytes bytes, const Position& position) {
  if (bytes.size() < sizeof(EntryHeader))
    throwDamaged(position, fmt::format("{} bytes are left where the header of an entry takes {}", bytes.size(), sizeof(EntryHeader)));
  const auto header = load<EntryHeader>(bytes);
  if (header.version != kEntryVersion)
    throwDamaged(position, fmt::format("an entry has layout version 0x{:x}, known is 0x{:x}", header.version, kEntryVersion));
  if (header.headerSize < sizeof header || header.headerSize > bytes.size())
    throwDamaged(position,
                 fmt::format("an entry's header of {} bytes does not fit in the {} that are left", header.headerSize, bytes.size()));
  const u64 room = bytes.size() - header.headerSize;
  if (header.payloadSize > room)
    throwDamaged(position, fmt::format("an entry's {} bytes do not fit in the {} that are left", header.payloadSize, room));
  if (header.compressedSize > header.payloadSize)
    throwDamaged(position, fmt::format("an entry's {} compressed bytes do not fit in its {}", header.compressedSize, header.payloadSize));
  if (header.nameOffset > header.headerSize || header.nameLength > header.headerSize - header.nameOffset)
    throwDamaged(position,
                 fmt::format("an entry's name ({} bytes at {}) does not fit in its header", header.nameLength, header.nameOffset));
  return header;
}

Entry entryFrom(const EntryHeader& header, Bytes bytes, const Position& position) {
  const Bytes headerBytes = bytes.first(header.headerSize);
  Entry entry;
  entry.kind = kindOf(header.kind);
  entry.kindCode = header.kind;
  entry.architecture = {header.architecture, suffixOf(header.flags)};
  entry.isaMajor = header.isaMajor;
  entry.isaMinor = header.isaMinor;
  entry.addressBits = header.flags & kFlag64Bit ? 64 : 32;
  entry.flags = header.flags;
  entry.name = textAt(headerBytes, header.nameOffset, header.nameLength);
  entry.options = optionsOf(header, headerBytes);
  entry.compression = compressionOf(header);
  const bool raw = entry.compression == Compression::none;
  entry.stored = bytes.subspan(header.headerSize, raw ? header.payloadSize : header.compressedSize);
  entry.size = raw ? header.payloadSize : header.uncompressedSize;
  entry.origin = position.origin;
  entry.offset = position.offset;
  return entry;
}

// A container of unknown size ends where no entry follows.
bool entryFollows(Bytes bytes) { return bytes.size() >= sizeof(u32) && load<u16>(bytes.subspan(sizeof(u16))) == kEntryVersion; }

ContainerHeader checkedContainerHeader(Bytes bytes, const Position& position) {
  if (bytes.size() < sizeof(ContainerHeader))
    throwDamaged(position, fmt::format("{} bytes are left where its header takes {}", bytes.size(), sizeof(ContainerHeader)));
  const auto header = load<ContainerHeader>(bytes);
  if (header.version != kContainerVersion)
    throwDamaged(position, fmt::format("it has layout version {}, known is {}", header.version, kContainerVersion));
  if (header.headerSize < sizeof header || header.headerSize > bytes.size())
    throwDamaged(position, fmt::format("its header of {} bytes does not fit in the {} that are left", header.headerSize, bytes.size()));
  const u64 room = bytes.size() - header.headerSize;
  if (header.size > room) throwDamaged(position, fmt::format("its {} bytes do not fit in the {} that are left", header.size, room));
  return header;
}

FirstContainer readContainer(Bytes bytes, const Position& position) {
  const ContainerHeader header = checkedContainerHeader(bytes, position);
  const bool sized = header.size != 0;
  const Bytes body = sized ? bytes.subspan(header.headerSize, header.size) : bytes.subspan(header.headerSize);
  FirstContainer result;
  result.container.origin = position.origin;
  result.container.offset = position.offset;
  u64 at = 0;
  while (at < body.size()) {
    const Bytes rest = body.subspan(at);
    if (sized ? isPadding(rest.first(std::min(rest.size(), sizeof(u64)))) && isPadding(rest) : !entryFollows(rest)) break;
    const Position here{position.origin, position.offset + header.headerSize + at};
    const EntryHeader entry = checkedHeader(rest, here);
    result.container.entries.push_back(entryFrom(entry, rest, here));
    at += entry.headerSize + entry.payloadSize;
  }
  result.size = header.headerSize + (sized ? header.size : at);
  return result;
}

// PTX begins with comments, blanks or a directive: never with another control character.
bool looksLikeText(std::string_view text) {
  constexpr std::string_view blanks = "\t\r\n\f\v";
  const auto beginning = text.substr(0, 64);
  return std::none_of(beginning.begin(), beginning.end(),
                      [&](char c) { return c >= 0 && c < ' ' && blanks.find(c) == std::string_view::npos; });
}

[[noreturn]] void refuse(std::string_view text, const Position& position) {
  if (text.starts_with("\x7f"
                       "ELF"))
    throw NoPtx(fmt::format("the device code at offset 0x{:x} is machine code (a cubin) without PTX", position.offset), {position.origin},
                "embed PTX: nvcc -arch=sm_75 or -gencode arch=compute_75,code=compute_75, or build it with warpwright-cc");
  throw Error(fmt::format("the device code at offset 0x{:x} is neither PTX text nor a fat binary", position.offset), {position.origin},
              "build it with nvcc or warpwright-cc, or name PTX");
}

FirstContainer readText(Bytes bytes, const Position& position) {
  const auto* const begin = reinterpret_cast<const char*>(bytes.data());
  const std::string_view text(begin, strnlen(begin, bytes.size()));
  if (text.empty() || !looksLikeText(text)) refuse(text, position);
  const PtxHeader header = readPtxHeader(text);
  Entry entry;
  entry.kind = Kind::ptx;
  entry.kindCode = kKindPtx;
  entry.architecture = header.architecture;
  entry.isaMajor = header.isaMajor;
  entry.isaMinor = header.isaMinor;
  entry.addressBits = header.addressBits;
  entry.stored = bytes.first(text.size());
  entry.size = text.size();
  entry.origin = position.origin;
  entry.offset = position.offset;
  return {{{std::move(entry)}, position.origin, position.offset}, text.size()};
}

}  // namespace

void throwDamaged(const Position& position, const std::string& cause) {
  throw Error(fmt::format("damaged fat binary at offset 0x{:x}: {}", position.offset, cause), {position.origin}, "build the file anew");
}

FirstContainer readFirst(Bytes bytes, const Position& position) {
  return startsWith(bytes, kContainerMagic) ? readContainer(bytes, position) : readText(bytes, position);
}

}  // namespace warpwright::fatbin
