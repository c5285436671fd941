// lines-come-back CHECKPOINT: takes the lines of memory that a program's launches found there through each variant of each codec and back,
// by functions, and of some thousands by routines, which must leave the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "compression_routines.hpp"
#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"
#include "runtime/checkpoint_file.hpp"

namespace warpwright {
namespace {

namespace lines = mechanisms::line_compression;
namespace routines = lines::routines;
using compression::Bytes;
using testing::CodecVariant;
using testing::CompressionRoutines;
using Buffers = std::vector<CompressionRoutines::Buffer>;

constexpr u32 kLineBytes = 128;
constexpr std::size_t kMostByRoutines = 4096;

// Those that differ, of what has changed before each launch.
std::vector<Bytes> linesOf(const std::string& checkpoint) {
  runtime::CheckpointReader file(checkpoint);
  std::set<Bytes> found;
  while (const auto record = file.next()) {
    if (!record->contains("changed")) continue;
    for (const auto& piece : record->at("changed")) {
      const auto& bytes = piece.at(1).get_binary();
      const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
      for (std::size_t at = 0; at + kLineBytes <= bytes.size(); at += kLineBytes) found.emplace(begin + at, begin + at + kLineBytes);
    }
  }
  return {found.begin(), found.end()};
}

std::vector<Bytes> someOf(const std::vector<Bytes>& all) {
  std::vector<Bytes> some;
  const std::size_t step = all.size() / kMostByRoutines + 1;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

[[noreturn]] void fail(const CodecVariant& variant, const char* what, std::size_t line) {
  throw Error(fmt::format("{}: {}, line {}", variant.name, what, line));
}

// How many become smaller.
std::size_t checkFunctions(const CodecVariant& variant, const std::vector<Bytes>& all) {
  std::size_t smaller = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const compression::Variants variants = variant.of(static_cast<u32>(i));
    const auto packed = compression::compress(variant.codec(), all[i], variants);
    if (!packed) continue;
    ++smaller;
    Bytes again(kLineBytes, std::byte{0xa5});
    compression::decompress(variant.codec(), *packed, again, variants);
    if (packed->size() >= kLineBytes || again != all[i]) fail(variant, "the function gives back other bytes", i);
  }
  return smaller;
}

void checkCompression(CompressionRoutines& made, const CodecVariant& variant, const std::vector<Bytes>& all) {
  Buffers buffers(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ranges::copy(all[i], buffers[i].begin());
    buffers[i][routines::kFirstAt] = static_cast<std::byte>(variant.of(static_cast<u32>(i)).bdiFirst);
  }
  made.run(routines::nameToCompress(variant.codec()), buffers);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const compression::Variants variants = variant.of(static_cast<u32>(i));
    const auto wanted = compression::compress(variant.codec(), all[i], variants);
    u32 size = 0;
    std::memcpy(&size, buffers[i].data() + routines::kSizeAt, sizeof size);
    if (size != (wanted ? wanted->size() : kLineBytes)) fail(variant, "the routine gives another size", i);
    if (!wanted) continue;
    const auto* begin = buffers[i].data() + routines::packedAt(lines::encodingOf(variant.codec(), all[i], variants), kLineBytes, variants);
    if (!std::equal(wanted->begin(), wanted->end(), begin)) fail(variant, "the routine compresses to other bytes", i);
  }
}

void checkDecompression(CompressionRoutines& made, const CodecVariant& variant, const std::vector<Bytes>& all) {
  std::map<u8, std::pair<std::vector<std::size_t>, Buffers>> byEncoding;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const compression::Variants variants = variant.of(static_cast<u32>(i));
    const auto packed = compression::compress(variant.codec(), all[i], variants);
    if (!packed) continue;
    const u8 encoding = lines::encodingOf(variant.codec(), all[i], variants);
    auto& [numbers, buffers] = byEncoding[encoding];
    numbers.push_back(i);
    std::ranges::copy(*packed, buffers.emplace_back().begin() + routines::packedAt(encoding, kLineBytes, variants));
  }
  for (auto& [encoding, lot] : byEncoding) {
    auto& [numbers, buffers] = lot;
    made.run(routines::nameToDecompress(encoding), buffers);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (!std::equal(all[numbers[k]].begin(), all[numbers[k]].end(), buffers[k].begin()))
        fail(variant, "the routine makes other bytes of it", numbers[k]);
  }
}

void check(const std::string& checkpoint) {
  const std::vector<Bytes> all = linesOf(checkpoint), some = someOf(all);
  if (all.empty()) throw Error("the checkpoint has no lines");
  for (const CodecVariant& variant : testing::codecVariants()) {
    const std::size_t smaller = checkFunctions(variant, all);
    CompressionRoutines made(variant.settings, kLineBytes);
    checkCompression(made, variant, some);
    checkDecompression(made, variant, some);
    fmt::print("{}: {} of {} lines become smaller; {} by routines, too\n", variant.name, smaller, all.size(), some.size());
  }
}

}  // namespace
}  // namespace warpwright

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    warpwright::check(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
