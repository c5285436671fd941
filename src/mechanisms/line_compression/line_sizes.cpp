#include "mechanisms/line_compression/line_sizes.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::mechanisms::line_compression {

u32 piecesOf(std::span<const compression::Codec> codecs, compression::Line line) {
  u32 bytes = static_cast<u32>(line.size());
  for (const compression::Codec codec : codecs) bytes = std::min(bytes, compression::keptBytes(codec, line));
  return (bytes + kPieceBytes - 1) / kPieceBytes;
}

LineSizes::LineSizes(const Settings& settings, u32 lineBytes, LineReader read)
    : lineBytes_(lineBytes), copiesToo_(settings.copiesToo), codecs_(codecsOf(settings.codec)), read_(std::move(read)) {}

u8& LineSizes::pieces(GlobalAddress line) {
  const u64 number = line / lineBytes_;
  return pages_[number / kLinesOfPage][number % kLinesOfPage];
}

u32 LineSizes::piecesOf(GlobalAddress line) {
  u8& known = pieces(line);
  if (known == 0) known = static_cast<u8>(copiesToo_ ? sizeNow(line) : mostPieces());
  return known;
}

u32 LineSizes::compress(GlobalAddress line) { return pieces(line) = static_cast<u8>(sizeNow(line)); }

u32 LineSizes::sizeNow(GlobalAddress line) { return isKnown(line) ? line_compression::piecesOf(codecs_, values()) : mostPieces(); }

void LineSizes::forget(GlobalAddress begin, u64 bytes) {
  if (bytes == 0) return;
  for (u64 number = begin / lineBytes_, last = (begin + (bytes - 1)) / lineBytes_; number <= last;) {
    const u64 page = number / kLinesOfPage, end = std::min(last + 1, (page + 1) * kLinesOfPage);
    if (const auto found = pages_.find(page); found != pages_.end())
      std::fill(found->second.begin() + number % kLinesOfPage, found->second.begin() + (end - 1) % kLinesOfPage + 1, u8{0});
    number = end;
  }
}

}  // namespace warpwright::mechanisms::line_compression
