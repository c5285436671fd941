#include "runtime/checkpoint_file.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

// What the records mean may differ from version to version.
constexpr std::string_view kMagic = "warpwright checkpoint " WARPWRIGHT_VERSION "\n";
constexpr int kCompressionLevel = 3;  // zstd's own default: the files are mostly zeros and repeated words

struct FrameHeader {
  u64 compressed = 0, size = 0;  // bytes
};

}  // namespace

CheckpointWriter::CheckpointWriter(const std::string& file) : file_(file), out_(file, std::ios::binary) {
  out_ << kMagic;
  out_.flush();
  if (!out_)
    throw Error(fmt::format("cannot write the checkpoint '{}': {}", file, std::strerror(errno)), {}, "name a file in a writable folder");
}

void CheckpointWriter::add(const stats::Json& record) {
  const std::vector<u8> bytes = stats::Json::to_cbor(record);
  std::vector<char> compressed(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(compressed.data(), compressed.size(), bytes.data(), bytes.size(), kCompressionLevel);
  if (ZSTD_isError(size)) throw Error(fmt::format("cannot compress a record of the checkpoint: {}", ZSTD_getErrorName(size)));
  const FrameHeader header{size, bytes.size()};
  out_.write(reinterpret_cast<const char*>(&header), sizeof header);
  out_.write(compressed.data(), static_cast<std::streamsize>(size));
  out_.flush();
  if (!out_) throw Error(fmt::format("cannot write the checkpoint '{}': {}", file_, std::strerror(errno)), {}, "make room on its disk");
}

CheckpointReader::CheckpointReader(const std::string& file) : file_(file), in_(file, std::ios::binary) {
  if (!in_) throw Error(fmt::format("cannot read the checkpoint '{}': {}", file, std::strerror(errno)), {}, "check its name");
  std::string magic(kMagic.size(), '\0');
  in_.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  if (!in_ || magic != kMagic) refuse("it is no checkpoint of this version of Warpwright");
}

void CheckpointReader::refuse(const std::string& why) const {
  throw Error(fmt::format("cannot replay '{}': {}", file_, why), {}, "write it anew with `warpwright run --checkpoint FILE ./app`");
}

std::optional<stats::Json> CheckpointReader::next() {
  if (in_.peek() == std::ifstream::traits_type::eof()) return std::nullopt;
  FrameHeader header;
  in_.read(reinterpret_cast<char*>(&header), sizeof header);
  constexpr u64 kMost = u64{1} << 40;
  if (!in_ || header.compressed > kMost || header.size > kMost) refuse("it is cut short or damaged");
  std::vector<char> compressed(header.compressed);
  in_.read(compressed.data(), static_cast<std::streamsize>(compressed.size()));
  if (!in_) refuse("it is cut short");
  std::vector<u8> bytes(header.size);
  const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), compressed.data(), compressed.size());
  if (ZSTD_isError(size) || size != bytes.size()) refuse("a record of it is damaged");
  stats::Json record = stats::Json::from_cbor(bytes, true, false);
  if (record.is_discarded() || !record.is_object()) refuse("a record of it is damaged");
  return record;
}

}  // namespace warpwright::runtime
