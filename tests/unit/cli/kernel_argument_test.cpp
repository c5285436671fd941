#include "cli/kernel_argument.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"

namespace warpwright::cli {
namespace {

template <typename T>
T valueOf(const std::string& text) {
  const KernelArgument argument = parseArgument(text);
  T value{};
  EXPECT_EQ(argument.value.size(), sizeof value) << text;
  std::memcpy(&value, argument.value.data(), std::min(sizeof value, argument.value.size()));
  return value;
}

template <typename T>
std::vector<T> elementsOf(const std::string& text) {
  const std::vector<u8> bytes = initialBytes(parseArgument(text));
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

TEST(KernelArgument, Numbers) {
  EXPECT_EQ(valueOf<s32>("i32:-5"), -5);
  EXPECT_EQ(valueOf<u64>("u64:0xffffffffffffffff"), ~u64{0});
  EXPECT_EQ(valueOf<float>("f32:1.5"), 1.5F);
  EXPECT_EQ(valueOf<double>("f64:1e300"), 1e300);
  EXPECT_EQ(valueOf<s8>("i8:-128"), -128);
}

TEST(KernelArgument, Bytes) { EXPECT_EQ(parseArgument("bytes:00fF10").value, (std::vector<u8>{0, 255, 16})); }

TEST(KernelArgument, Buffers) {
  EXPECT_EQ(elementsOf<float>("buf:f32:3"), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(elementsOf<u16>("buf:u16:4:iota"), (std::vector<u16>{0, 1, 2, 3}));
  EXPECT_EQ(elementsOf<double>("buf:f64:2:zero"), (std::vector<double>{0, 0}));
}

TEST(KernelArgument, RandomBuffersRepeatAndDiffer) {
  const auto first = elementsOf<float>("buf:f32:1000:random:7");
  EXPECT_EQ(first, elementsOf<float>("buf:f32:1000:random:7"));
  EXPECT_NE(first, elementsOf<float>("buf:f32:1000:random:8"));
  for (const float value : first) ASSERT_TRUE(value >= 0 && value < 1);
  EXPECT_GT(std::set<float>(first.begin(), first.end()).size(), 990u);
}

TEST(KernelArgument, Files) {
  const auto path = std::filesystem::temp_directory_path() / "warpwright_kernel_argument_test.bin";
  std::ofstream(path, std::ios::binary) << "abcdefgh";
  EXPECT_EQ(elementsOf<u8>("buf:u8:8:file=" + path.string())[2], 'c');
  EXPECT_THROW(elementsOf<u8>("buf:u8:9:file=" + path.string()), Error);
  std::filesystem::remove(path);
  EXPECT_THROW(elementsOf<u8>("buf:u8:8:file=" + path.string()), Error);
}

TEST(KernelArgument, RefusesEverythingElse) {
  for (const char* text : {"",
                           "5",
                           "i32",
                           "i32:",
                           "i32:5x",
                           "i32:1.5",
                           "i33:5",
                           "u8:256",
                           "i32:99999999999",
                           "f32:abc",
                           "buf",
                           "buf:f32",
                           "buf:f32:0",
                           "buf:f32:-1",
                           "buf:f32:4:ones",
                           "buf:f32:4:random",
                           "buf:f32:4:random:x",
                           "bytes:",
                           "bytes:0",
                           "bytes:0g",
                           "buf:f32:99999999999999999999"})
    EXPECT_THROW(parseArgument(text), Error) << text;
}

TEST(KernelArgument, ElementsAsText) {
  const float f = 0.25F;
  const s8 small = -3;
  EXPECT_EQ(elementText(ElementType::f32, reinterpret_cast<const u8*>(&f)), "0.25");
  EXPECT_EQ(elementText(ElementType::i8, reinterpret_cast<const u8*>(&small)), "-3");
}

}  // namespace
}  // namespace warpwright::cli
