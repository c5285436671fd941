#include "fatbin/decompress.hpp"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include "fatbin/container_reader.hpp"

namespace warpwright::fatbin {
namespace {

[[noreturn]] void refuse(const Entry& entry, const std::string& cause) { throwDamaged({entry.origin, entry.offset}, cause); }

// The most that so many compressed bytes can stand for, so that memory is asked for only when the data may fill it.
u64 mostFrom(Compression compression, u64 compressed) {
  // An LZ4 sequence adds at most 255 bytes of match length for each byte of it, and a token up to 15 literals or 19 bytes of match.
  if (compression == Compression::lz4) return compressed * 255 + 64;
  // A zstd block takes 3 bytes of header and at least one more, and gives 128 KiB at most (RFC 8878, sections 3.1.1.2 and 3.1.1.2.4).
  return (compressed / 4 + 1) * 128 * 1024;
}

void checkSize(const Entry& entry) {
  if (entry.size > kLargestPayload)
    refuse(entry, fmt::format("an entry of {} bytes; at most {} are accepted", entry.size, kLargestPayload));
  if (entry.size > mostFrom(entry.compression, entry.stored.size()))
    refuse(entry, fmt::format("{} compressed bytes cannot stand for {}", entry.stored.size(), entry.size));
}

std::string decompressLz4(const Entry& entry) {
  std::string bytes(entry.size, '\0');
  const auto* const from = reinterpret_cast<const char*>(entry.stored.data());
  const int size = LZ4_decompress_safe(from, bytes.data(), static_cast<int>(entry.stored.size()), static_cast<int>(bytes.size()));
  if (size < 0) refuse(entry, fmt::format("its LZ4 data are damaged, or stand for more than {} bytes", entry.size));
  if (static_cast<u64>(size) != entry.size) refuse(entry, fmt::format("its LZ4 data stand for {} bytes instead of {}", size, entry.size));
  return bytes;
}

std::string decompressZstd(const Entry& entry) {
  std::string bytes(entry.size, '\0');
  const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), entry.stored.data(), entry.stored.size());
  if (ZSTD_isError(size))
    refuse(entry, fmt::format("its zstd data cannot be decompressed to {} bytes ({})", entry.size, ZSTD_getErrorName(size)));
  if (size != entry.size) refuse(entry, fmt::format("its zstd data stand for {} bytes instead of {}", size, entry.size));
  return bytes;
}

}  // namespace

std::string decompress(const Entry& entry) {
  if (entry.compression == Compression::none) return {reinterpret_cast<const char*>(entry.stored.data()), entry.stored.size()};
  if (entry.compression == Compression::unknown)
    refuse(entry, fmt::format("an entry is compressed in an unknown way (flags 0x{:x})", entry.flags));
  checkSize(entry);
  return entry.compression == Compression::lz4 ? decompressLz4(entry) : decompressZstd(entry);
}

}  // namespace warpwright::fatbin
