#include "sass/xz_source.hpp"

#include <fmt/format.h>
#include <lzma.h>

#include <vector>

#include "base/error.hpp"

namespace warpwright::sass {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;

class XzSource final : public ByteSource {
 public:
  XzSource(std::unique_ptr<ByteSource> compressed, const std::string& name)
      : compressed_(std::move(compressed)), name_(name), piece_(kPieceBytes) {
    // Files that were written piece by piece may be joined.
    if (lzma_stream_decoder(&stream_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
      throw Error(fmt::format("no memory to decompress the trace '{}'", name_), {}, "decompress it beforehand: xz -dk");
  }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  std::size_t read(std::span<char> into) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(into.data());
    stream_.avail_out = into.size();
    while (!hasEnded_ && stream_.avail_out == into.size()) advance();
    return into.size() - stream_.avail_out;
  }

 private:
  void advance() {
    if (stream_.avail_in == 0 && !inputEnded_) refill();
    const lzma_ret result = lzma_code(&stream_, inputEnded_ ? LZMA_FINISH : LZMA_RUN);
    hasEnded_ = result == LZMA_STREAM_END;
    if (result == LZMA_OK || hasEnded_) return;
    const bool isShort = result == LZMA_BUF_ERROR;
    throw Error(fmt::format("the compressed trace '{}' {}", name_, isShort ? "ends before its time" : "is damaged"), {},
                "copy it anew, or look at it with: xz -tv");
  }

  void refill() {
    const std::size_t count = compressed_->read(piece_);
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(piece_.data());
    stream_.avail_in = count;
    inputEnded_ = count == 0;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::string name_;
  std::vector<char> piece_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool inputEnded_ = false, hasEnded_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decompressXz(std::unique_ptr<ByteSource> compressed, const std::string& name) {
  return std::make_unique<XzSource>(std::move(compressed), name);
}

}  // namespace warpwright::sass
