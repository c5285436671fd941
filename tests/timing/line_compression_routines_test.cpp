// The codecs as routines of assist warps against the codecs as functions: the same bytes both ways, for lines of both sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "compression_routines.hpp"
#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/routines.hpp"

namespace warpwright {
namespace {

using compression::Codec;
namespace lines = mechanisms::line_compression;
namespace routines = mechanisms::line_compression::routines;

using Line = std::vector<std::byte>;
using Buffer = testing::CompressionRoutines::Buffer;

// What the codecs look for, with an exception now and then: bytes that differ from a base or from zero in their last ones, words with
// patterns by segment, words that share their first bytes.
Line makeLine(std::mt19937_64& random, u32 lineBytes) {
  Line line(lineBytes);
  const auto below = [&](u64 limit) { return random() % limit; };
  const auto put = [&](u32 at, u64 value, u32 bytes) { std::memcpy(line.data() + at, &value, bytes); };
  const u32 value = 2u << below(3), kind = static_cast<u32>(below(6));
  const u64 base = random() >> below(60), repeated = random();
  const u32 delta = 1 + static_cast<u32>(below(value));
  const u64 values[4] = {random(), random(), random(), random()};
  for (u32 at = 0; at < lineBytes; at += value) {
    const u64 near = static_cast<u64>(static_cast<s64>(random()) >> (64 - 8 * std::min(delta, 7u)));
    if (kind == 0) put(at, below(8) == 0 ? near : base + near, value);
    if (kind == 1) put(at, near, value);
    if (kind == 2) put(at, repeated * (value == 8), value);
  }
  for (u32 at = 0; at < lineBytes && kind > 2; at += 4) {
    constexpr u32 kShapes = 8;
    const u32 segment = kind == 3 ? static_cast<u32>(values[at / 32]) % kShapes : static_cast<u32>(values[0] >> 8) % kShapes;
    const u32 word = static_cast<u32>(random());
    const u32 shaped[kShapes] = {0,
                                 static_cast<u32>(static_cast<s32>(word) >> 28),
                                 static_cast<u32>(static_cast<s32>(word) >> 24),
                                 (word & 255) * 0x01010101,
                                 static_cast<u32>(static_cast<s32>(word) >> 16),
                                 word << 16,
                                 (static_cast<u32>(static_cast<s8>(word)) & 0xffff) | static_cast<u32>(static_cast<s8>(word >> 8)) << 16,
                                 word};
    const u32 ofDictionary[4] = {0, word & 255, static_cast<u32>(values[below(4)]),
                                 (static_cast<u32>(values[below(4)]) & ~255u) | (word & 255)};
    put(at, kind == 4 ? ofDictionary[below(4)] : shaped[segment], 4);
  }
  if (below(6) == 0) put(static_cast<u32>(below(lineBytes / 4)) * 4, random(), 4);
  return line;
}

constexpr u32 kLines = 6000;

class EachLineSize : public ::testing::TestWithParam<std::tuple<testing::CodecVariant, u32>> {
 protected:
  const testing::CodecVariant& variant() const { return std::get<testing::CodecVariant>(GetParam()); }
  u32 lineBytes() const { return std::get<u32>(GetParam()); }
  Codec codec() const { return variant().codec(); }
};
INSTANTIATE_TEST_SUITE_P(All, EachLineSize,
                         ::testing::Combine(::testing::ValuesIn(testing::codecVariants().begin(), testing::codecVariants().end()),
                                            ::testing::Values(64u, 128u)),
                         [](const auto& test) {
                           return std::string(std::get<testing::CodecVariant>(test.param).name) + "_" +
                                  std::to_string(std::get<u32>(test.param));
                         });

TEST_P(EachLineSize, CompressesBitForBit) {
  std::mt19937_64 random(lineBytes() + static_cast<u32>(variant().settings.codec));
  std::vector<Line> all;
  std::vector<Buffer> buffers(kLines);
  for (u32 i = 0; i < kLines; ++i) {
    all.push_back(makeLine(random, lineBytes()));
    std::ranges::copy(all.back(), buffers[i].begin());
    buffers[i][routines::kFirstAt] = static_cast<std::byte>(variant().of(i).bdiFirst);
  }
  testing::CompressionRoutines(variant().settings, lineBytes()).run(routines::nameToCompress(codec()), buffers);
  std::map<u8, u32> seen;
  for (u32 i = 0; i < kLines; ++i) {
    const compression::Variants variants = variant().of(i);
    const auto wanted = compression::compress(codec(), all[i], variants);
    u32 size = 0;
    std::memcpy(&size, buffers[i].data() + routines::kSizeAt, sizeof size);
    ASSERT_EQ(size, wanted ? wanted->size() : lineBytes()) << i;
    if (!wanted) continue;
    const u8 encoding = lines::encodingOf(codec(), all[i], variants);
    ++seen[encoding];
    const auto* begin = buffers[i].data() + routines::packedAt(encoding, lineBytes(), variants);
    ASSERT_EQ(Line(begin, begin + wanted->size()), *wanted) << i << ' ' << lines::nameOf(encoding);
  }
  EXPECT_GE(seen.size(), codec() == Codec::bdi ? 7u : 1u);
  for (const auto& [encoding, count] : seen) EXPECT_GT(count, 20u) << lines::nameOf(encoding);
}

TEST_P(EachLineSize, MakesWhole) {
  std::mt19937_64 random(lineBytes() * 3 + static_cast<u32>(variant().settings.codec));
  std::map<u8, std::pair<std::vector<Line>, std::vector<Buffer>>> byEncoding;
  for (u32 i = 0; i < kLines; ++i) {
    const compression::Variants variants = variant().of(i);
    const Line line = makeLine(random, lineBytes());
    const auto packed = compression::compress(codec(), line, variants);
    if (!packed) continue;
    const u8 encoding = lines::encodingOf(codec(), line, variants);
    auto& [all, buffers] = byEncoding[encoding];
    all.push_back(line);
    std::ranges::copy(*packed, buffers.emplace_back().begin() + routines::packedAt(encoding, lineBytes(), variants));
  }
  testing::CompressionRoutines made(variant().settings, lineBytes());
  for (auto& [encoding, lot] : byEncoding) {
    auto& [all, buffers] = lot;
    made.run(routines::nameToDecompress(encoding), buffers);
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(Line(buffers[i].begin(), buffers[i].begin() + lineBytes()), all[i]) << i << ' ' << lines::nameOf(encoding);
  }
}

}  // namespace
}  // namespace warpwright
