#include "builder.hpp"

#include <lz4.h>
#include <zstd.h>

#include "base/error.hpp"

namespace warpwright::fatbin::test {

void put(std::string& bytes, u64 offset, u64 value, u32 size) {
  for (u32 i = 0; i < size; ++i) bytes.at(offset + i) = static_cast<char>(value >> (8 * i));
}

std::string lz4(std::string_view contents) {
  std::string bytes(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(contents.size()))), '\0');
  bytes.resize(static_cast<std::size_t>(
      LZ4_compress_default(contents.data(), bytes.data(), static_cast<int>(contents.size()), static_cast<int>(bytes.size()))));
  return bytes;
}

std::string zstd(std::string_view contents) {
  std::string bytes(ZSTD_compressBound(contents.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), contents.data(), contents.size(), 3));
  return bytes;
}

namespace {

std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes;
}

// Name, then {u32 offset, u32 length} and text of the options: the part of the header that varies.
std::string headerTail(const EntrySpec& spec) {
  std::string tail = padded(spec.name);
  if (spec.options.empty()) return tail;
  const u64 textAt = kEntryHeaderSize + tail.size() + 8;
  std::string pair(8, '\0');
  put(pair, 0, textAt, 4);
  put(pair, 4, spec.options.size(), 4);
  return tail + pair + padded(spec.options);
}

}  // namespace

std::string entry(const EntrySpec& spec) {
  const bool compressed = (spec.flags & 0xa000) != 0;
  const std::string stored = spec.flags & 0x8000 ? zstd(spec.contents) : spec.flags & 0x2000 ? lz4(spec.contents) : spec.contents;
  const std::string tail = headerTail(spec);
  std::string header(kEntryHeaderSize, '\0');
  put(header, kKindAt, spec.kind, 2);
  put(header, kVersionAt, 0x0101, 2);
  put(header, kHeaderSizeAt, kEntryHeaderSize + tail.size(), 4);
  put(header, kPayloadSizeAt, padded(stored).size(), 8);
  if (compressed) put(header, kCompressedSizeAt, stored.size(), 4);
  if (!spec.options.empty()) put(header, 0x14, kEntryHeaderSize + padded(spec.name).size(), 4);
  put(header, 0x18, spec.minor, 2);
  put(header, 0x1a, spec.major, 2);
  put(header, 0x1c, spec.architecture, 4);
  if (!spec.name.empty()) put(header, kNameOffsetAt, kEntryHeaderSize, 4);
  put(header, kNameLengthAt, spec.name.size(), 4);
  put(header, kFlagsAt, spec.flags, 8);
  if (compressed) put(header, kUncompressedSizeAt, spec.contents.size(), 8);
  return header + tail + padded(stored);
}

std::string container(const std::string& entries, bool sized) {
  std::string header(kContainerHeaderSize, '\0');
  put(header, 0, 0xba55ed50, 4);
  put(header, 4, 1, 2);
  put(header, 6, kContainerHeaderSize, 2);
  if (sized) put(header, 8, entries.size(), 8);
  return header + entries;
}

std::string errorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace warpwright::fatbin::test
