// Fat binaries that are not as they should be: each has its own message.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "builder.hpp"
#include "fatbin/container.hpp"

namespace warpwright::fatbin {
namespace {

using namespace test;

std::string damage(u64 offset, const std::string& cause) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(offset));
  return std::string("app: error: damaged fat binary at offset ") + text + ": " + cause + "\n  remedy: build the file anew";
}

std::string readError(const std::string& bytes) {
  return errorOf([&] { read(bytesOf(bytes), "app"); });
}

std::string payloadError(const std::string& bytes) {
  return errorOf([&] { read(bytesOf(bytes), "app").at(0).entries.at(0).ptx(); });
}

// A container with one raw entry with 80 bytes of payload, one field of which is overwritten.
std::string spoilt(u64 field, u64 value, u32 size) {
  std::string bytes = container(entry({.contents = std::string(80, 'x')}));
  put(bytes, kContainerHeaderSize + field, value, size);
  return bytes;
}

TEST(Damage, ContainerHeader) {
  const std::string whole = container(entry());
  EXPECT_EQ(readError(whole.substr(0, 7)), damage(0, "7 bytes are left where its header takes 16"));
  std::string version = whole, header = whole, little = whole, size = whole;
  put(version, 4, 2, 2);
  EXPECT_EQ(readError(version), damage(0, "it has layout version 2, known is 1"));
  put(header, 6, 0xffff, 2);
  EXPECT_EQ(readError(header),
            damage(0, "its header of 65535 bytes does not fit in the " + std::to_string(whole.size()) + " that are left"));
  put(little, 6, 8, 2);
  EXPECT_EQ(readError(little), damage(0, "its header of 8 bytes does not fit in the " + std::to_string(whole.size()) + " that are left"));
  put(size, 8, ~u64{0}, 8);
  EXPECT_EQ(readError(size),
            damage(0, "its 18446744073709551615 bytes do not fit in the " + std::to_string(whole.size() - 16) + " that are left"));
}

TEST(Damage, EntryHeader) {
  // 64 bytes of header and 80 of payload.
  EXPECT_EQ(readError(container(entry().substr(0, 40))), damage(16, "40 bytes are left where the header of an entry takes 64"));
  EXPECT_EQ(readError(spoilt(kVersionAt, 0x0202, 2)), damage(16, "an entry has layout version 0x202, known is 0x101"));
  EXPECT_EQ(readError(spoilt(kHeaderSizeAt, 63, 4)), damage(16, "an entry's header of 63 bytes does not fit in the 144 that are left"));
  EXPECT_EQ(readError(spoilt(kHeaderSizeAt, 145, 4)), damage(16, "an entry's header of 145 bytes does not fit in the 144 that are left"));
  EXPECT_EQ(readError(spoilt(kPayloadSizeAt, 81, 8)), damage(16, "an entry's 81 bytes do not fit in the 80 that are left"));
  EXPECT_EQ(readError(spoilt(kPayloadSizeAt, ~u64{0}, 8)),
            damage(16, "an entry's 18446744073709551615 bytes do not fit in the 80 that are left"));
  EXPECT_EQ(readError(spoilt(kCompressedSizeAt, 81, 4)), damage(16, "an entry's 81 compressed bytes do not fit in its 80"));
  EXPECT_EQ(readError(spoilt(kNameOffsetAt, 65, 4)), damage(16, "an entry's name (0 bytes at 65) does not fit in its header"));
  EXPECT_EQ(readError(spoilt(kNameLengthAt, 0xffffffff, 4)),
            damage(16, "an entry's name (4294967295 bytes at 0) does not fit in its header"));
}

// A payload that reaches into what follows it: the next header is not found where it must be.
TEST(Damage, OverlappingEntries) {
  std::string first = entry({.contents = std::string(80, 'x')});
  put(first, kPayloadSizeAt, 88, 8);
  EXPECT_EQ(readError(container(first + entry())), damage(16 + 64 + 88, "an entry has layout version 0x0, known is 0x101"));
}

TEST(Damage, SecondContainerIsNamedByItsOffset) {
  const std::string first = container(entry({.contents = std::string(80, 'x')}));
  EXPECT_EQ(readError(first + first.substr(0, 100)), damage(160, "its 144 bytes do not fit in the 84 that are left"));
}

TEST(Damage, EveryTruncationIsNoticed) {
  const std::string whole = container(entry({.flags = 0x8011, .name = "a.cu", .options = " -g "}) + entry({.kind = 2, .flags = 0x2011}));
  // Less than the magic number could be text.
  for (std::size_t size = 4; size < whole.size(); ++size) EXPECT_NE(readError(whole.substr(0, size)), "") << size;
}

TEST(Damage, SizesThatCompressedDataCannotHave) {
  std::string bytes = container(entry({.flags = 0x8011}));
  put(bytes, kContainerHeaderSize + kUncompressedSizeAt, (u64{1} << 30) + 1, 8);
  EXPECT_EQ(payloadError(bytes), damage(16, "an entry of 1073741825 bytes; at most 1073741824 are accepted"));

  const std::string text(100, 'a');
  const std::string stored = std::to_string(zstd(text).size());
  bytes = container(entry({.flags = 0x8011, .contents = text}));
  put(bytes, kContainerHeaderSize + kUncompressedSizeAt, u64{1} << 30, 8);
  EXPECT_EQ(payloadError(bytes), damage(16, stored + " compressed bytes cannot stand for 1073741824"));

  bytes = container(entry({.flags = 0x2011, .contents = text}));
  const u64 most = lz4(text).size() * 255 + 64;
  put(bytes, kContainerHeaderSize + kUncompressedSizeAt, most + 1, 8);
  EXPECT_EQ(payloadError(bytes),
            damage(16, std::to_string(lz4(text).size()) + " compressed bytes cannot stand for " + std::to_string(most + 1)));
}

TEST(Damage, DataThatGiveAnotherSize) {
  const std::string text(100, 'a');
  std::string small = container(entry({.flags = 0x8011, .contents = text})), large = small;
  put(small, kContainerHeaderSize + kUncompressedSizeAt, 99, 8);
  EXPECT_EQ(payloadError(small), damage(16, "its zstd data cannot be decompressed to 99 bytes (Destination buffer is too small)"));
  put(large, kContainerHeaderSize + kUncompressedSizeAt, 101, 8);
  EXPECT_EQ(payloadError(large), damage(16, "its zstd data stand for 100 bytes instead of 101"));

  small = large = container(entry({.flags = 0x2011, .contents = text}));
  put(small, kContainerHeaderSize + kUncompressedSizeAt, 99, 8);
  EXPECT_EQ(payloadError(small), damage(16, "its LZ4 data are damaged, or stand for more than 99 bytes"));
  put(large, kContainerHeaderSize + kUncompressedSizeAt, 101, 8);
  EXPECT_EQ(payloadError(large), damage(16, "its LZ4 data stand for 100 bytes instead of 101"));
}

TEST(Damage, CompressedDataOverwritten) {
  const u64 payload = kContainerHeaderSize + kEntryHeaderSize;
  std::string bytes = container(entry({.flags = 0x8011}));
  put(bytes, payload, 0, 4);
  EXPECT_EQ(payloadError(bytes),
            damage(16, "its zstd data cannot be decompressed to " + std::to_string(kPtx.size()) + " bytes (Unknown frame descriptor)"));
}

TEST(Damage, UnknownCompression) {
  std::string bytes = container(entry({.flags = 0x11}));
  put(bytes, kContainerHeaderSize + kCompressedSizeAt, 8, 4);
  EXPECT_EQ(payloadError(bytes), damage(16, "an entry is compressed in an unknown way (flags 0x11)"));
}

// What cannot be decompressed keeps nobody from the other entries.
TEST(Damage, OfOneEntryLeavesTheOthers) {
  std::string bad = entry({.kind = 2, .flags = 0x8011});
  put(bad, kUncompressedSizeAt, ~u64{0}, 8);
  const std::string bytes = container(bad + entry());
  const auto entries = read(bytesOf(bytes), "app").at(0).entries;
  EXPECT_THROW(entries.at(0).payload(), Error);
  EXPECT_EQ(entries.at(1).ptx(), kPtx);
}

TEST(Damage, WhatIsNoDeviceCode) {
  EXPECT_EQ(readError("\x7f"
                      "ELF\x02\x01"),
            "app: error: the device code at offset 0x0 is machine code (a cubin) without PTX\n"
            "  remedy: embed PTX: nvcc -arch=sm_75 or -gencode arch=compute_75,code=compute_75, or build it with warpwright-cc");
  EXPECT_EQ(readError(std::string(4, '\0') + "\x01\x02\x03"),
            "app: error: the device code at offset 0x4 is neither PTX text nor a fat binary\n"
            "  remedy: build it with nvcc or warpwright-cc, or name PTX");
}

TEST(Damage, EntriesThatAreNotPtx) {
  EXPECT_EQ(payloadError(container(entry({.kind = 2, .architecture = 80}))),
            "app: error: the entry for sm_80 at offset 0x10 is not PTX\n  remedy: choose an entry with PTX");
}

TEST(Damage, RegisterBound) {
  for (const char* const number : {"many", "0", "", "3x"}) {
    const std::string bytes = container(entry({.options = std::string(" -maxrregcount=") + number + " "}));
    EXPECT_EQ(errorOf([&] { read(bytesOf(bytes), "app").at(0).entries.at(0).registerBound(); }),
              std::string("app: error: the entry at offset 0x10 asks for '") + number +
                  "' registers\n  remedy: compile with nvcc -maxrregcount=N, N from 1 to 255");
  }
}

}  // namespace
}  // namespace warpwright::fatbin
