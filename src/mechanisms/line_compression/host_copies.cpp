#include "mechanisms/line_compression/host_copies.hpp"

#include <utility>

namespace warpwright::mechanisms::line_compression {

HostCopies::HostCopies(const Settings& settings, u32 lineBytes, LineReader read)
    : lineBytes_(lineBytes),
      copiesToo_(settings.copiesToo),
      codecs_(codecsOf(settings.codec)),
      variants_(variantsOf(settings)),
      read_(std::move(read)) {}

void HostCopies::add(GlobalAddress begin, u64 bytes) {
  stats_.hostCopiedBytes += bytes;
  stats_.hostCopiedCompressedBytes += bytes;
  if (!copiesToo_) return;
  const GlobalAddress end = begin + bytes;
  GlobalAddress line = alignDown(begin, lineBytes_);
  if (line != begin) line += lineBytes_;
  for (; line + lineBytes_ <= end; line += lineBytes_) stats_.hostCopiedCompressedBytes -= savedBytes(line);
}

u64 HostCopies::savedBytes(GlobalAddress line) {
  const std::span<std::byte> values(values_.data(), lineBytes_);
  if (!read_(line, values)) return 0;
  return lineBytes_ - u64{formOf(codecs_, values, variants_).pieces} * kPieceBytes;
}

}  // namespace warpwright::mechanisms::line_compression
