#include "compression/codec.hpp"

#include <gtest/gtest.h>

#include <random>

#include "compression/bits.hpp"
#include "unit/compression/lines.hpp"

namespace warpwright::compression {
namespace {

constexpr Codec kAll[] = {Codec::bdi, Codec::fpc, Codec::cPack};

void expectSameAgain(const Bytes& line, const Variants& variants = {}) {
  for (const Codec codec : kAll) {
    const std::optional<Bytes> compressed = compress(codec, line, variants);
    EXPECT_EQ(keptBytes(codec, line, variants), compressed ? compressed->size() : line.size());
    if (!compressed) continue;
    EXPECT_LT(compressed->size(), line.size());
    Bytes again(line.size(), std::byte{0xa5});
    decompress(codec, *compressed, again, variants);
    EXPECT_EQ(again, line) << name(codec);
  }
}

Variants randomVariants(std::mt19937& engine) {
  return {.bdiFirst = static_cast<BdiEncoding>(engine() % kBdiEncodings),
          .fpcSegmentWords = 4u << engine() % 4,
          .cPackZeroInDictionary = engine() % 2 == 0};
}

// Words drawn from what compresses: few values, near ones, narrow ones, zeros, repeated bytes, and now and then any.
Bytes randomLine(std::mt19937& engine, std::size_t bytes) {
  const auto random = [&engine] { return static_cast<u32>(engine()); };
  const u32 base = random(), shape = random() % 8, bits = random() % 33, rare = random() % 64;
  std::vector<u32> words(bytes / 4);
  for (u32& word : words) {
    const u32 narrow = bits == 0 ? 0 : static_cast<u32>(static_cast<s32>(random()) >> (32 - bits));
    const u32 forms[] = {narrow,
                         base + narrow,
                         base,
                         0,
                         (random() & 0xff) * 0x01010101u,
                         narrow << 16,
                         (base & ~0xffu) | (random() & 0xff),
                         random() % 2 == 0 ? narrow : base + narrow};
    word = random() % 64 < rare / 16 ? random() : forms[shape];
  }
  return lineOf(words);
}

TEST(Codecs, GiveBackEveryLine) {
  std::mt19937 random(7);
  for (const std::size_t bytes : {32, 64, 128})
    for (u32 i = 0; i < 20'000; ++i) expectSameAgain(randomLine(random, bytes));
}

TEST(Codecs, GiveBackEveryLineInEachVariant) {
  std::mt19937 random(11);
  for (const std::size_t bytes : {32, 64, 128})
    for (u32 i = 0; i < 20'000; ++i) expectSameAgain(randomLine(random, bytes), randomVariants(random));
}

// Of each width and step: the edges of each encoding are among them.
TEST(Codecs, GiveBackEverySequence) {
  for (u32 shift = 0; shift < 64; ++shift) {
    for (const u64 first : {u64{0}, u64{1} << shift, (u64{1} << shift) - 1, ~(u64{1} << shift)}) {
      expectSameAgain(sequence<u64>(128, first, u64{1} << shift));
      expectSameAgain(sequence<u32>(128, static_cast<u32>(first), 1u << (shift % 32)));
      expectSameAgain(sequence<u16>(128, static_cast<u16>(first), static_cast<u16>(1u << (shift % 16))));
    }
  }
}

TEST(Codecs, KeepNoiseAsItIs) {
  std::mt19937 random(3);
  std::vector<u32> words(32);
  for (u32& word : words) word = static_cast<u32>(random());
  for (const Codec codec : kAll) EXPECT_EQ(keptBytes(codec, lineOf(words)), 128u) << name(codec);
}

struct Sized {
  const char* what;
  Bytes line;
  u32 bdi, fpc, cPack;
};

TEST(Codecs, SizesFollowFromTheirLayout) {
  std::vector<u32> dictionary(32);
  for (std::size_t i = 0; i < dictionary.size(); ++i) dictionary[i] = 0x10000000u * static_cast<u32>(1 + i % 4) + static_cast<u32>(i);
  std::vector<u32> mixed(32, 0);
  for (std::size_t i = 0; i < 8; ++i) mixed[i] = 0x12345678;                                   // raw
  for (std::size_t i = 8; i < 16; ++i) mixed[i] = static_cast<u32>(-static_cast<s32>(i));      // a byte each
  for (std::size_t i = 16; i < 24; ++i) mixed[i] = 0x40000000u + (static_cast<u32>(i) << 16);  // a high half each
  const Sized all[] = {
      {"zeros", sequence<u32>(128, 0, 0), 1, 2, 17 + 32},
      {"small numbers", sequence<u32>(128, 0, 3), 5 + 4 + 32, 2 + 8 + 3 * 8, 17 + 32},
      {"four values", lineOf(dictionary), 128, 128, 17 + 4 * 4 + 32},
      {"a pattern a segment", lineOf(mixed), 128, 2 + 32 + 8 + 16 + 0, 128},
  };
  for (const Sized& each : all) {
    EXPECT_EQ(keptBytes(Codec::bdi, each.line), each.bdi) << each.what;
    EXPECT_EQ(keptBytes(Codec::fpc, each.line), each.fpc) << each.what;
    EXPECT_EQ(keptBytes(Codec::cPack, each.line), each.cPack) << each.what;
  }
}

TEST(CPack, HasFourValuesAtMost) {
  std::vector<u32> words(32, 0x11111111);
  words[3] = 0x22222222, words[5] = 0x33333333, words[31] = 0x44444444;
  EXPECT_EQ(keptBytes(Codec::cPack, lineOf(words)), 17u + 4 * 4 + 32);
  words[17] = 0x55555555;
  EXPECT_EQ(keptBytes(Codec::cPack, lineOf(words)), 128u);
}

// A word in no form becomes a value of the dictionary, so that four values are also the four uncompressed words of the paper's second
// limit.
TEST(CPack, HasZeroAmongTheFourIfTheVariantSaysSo) {
  std::vector<u32> words(32, 0x11111111);
  words[3] = 0x22222222, words[5] = 0x33333333, words[7] = 0, words[9] = 0x7f;
  const Variants zero{.cPackZeroInDictionary = true};
  EXPECT_EQ(keptBytes(Codec::cPack, lineOf(words), zero), 17u + 3 * 4 + 32);
  words[31] = 0x44444444;
  EXPECT_EQ(keptBytes(Codec::cPack, lineOf(words), zero), 128u);
  EXPECT_EQ(keptBytes(Codec::cPack, lineOf(words)), 17u + 4 * 4 + 32);
}

TEST(Fpc, HasAPatternForEachSegment) {
  std::vector<u32> words(32, 0);
  for (u32 i = 0; i < 4; ++i) words[i] = 0x12345678;
  const auto bytes = [&](u32 segmentWords) { return keptBytes(Codec::fpc, lineOf(words), {.fpcSegmentWords = segmentWords}); };
  EXPECT_EQ(bytes(4), 3u + 4 * 4);
  EXPECT_EQ(bytes(8), 2u + 8 * 4);
  EXPECT_EQ(bytes(16), 1u + 16 * 4);
  EXPECT_EQ(bytes(32), 128u) << "all of it raw";
  EXPECT_EQ(keptBytes(Codec::fpc, sequence<u32>(64, 0, 3), {.fpcSegmentWords = 32}), 1u + 16) << "a shorter line is one segment";
}

TEST(Bits, ComeBackAsTheyWent) {
  BitWriter to;
  for (u32 bits = 0; bits <= 64; ++bits) to.put(0x9e3779b97f4a7c15 * (bits + 1), bits);
  to.align();
  to.put(0x5a, 8);
  const Bytes bytes = to.take();
  BitReader from(bytes);
  for (u32 bits = 0; bits <= 64; ++bits) {
    const u64 mask = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
    EXPECT_EQ(from.take(bits), (0x9e3779b97f4a7c15 * (bits + 1)) & mask) << bits;
  }
  from.align();
  EXPECT_EQ(from.take(8), 0x5au);
}

}  // namespace
}  // namespace warpwright::compression
