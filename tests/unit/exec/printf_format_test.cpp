// Expected texts are what C's printf gives for the same values (or, for the buffer's layout, the CUDA C++ programming guide).
#include "exec/printf_format.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace warpwright::exec {
namespace {

// The argument buffer: each value at a multiple of its size.
class Buffer {
 public:
  template <typename T>
  Buffer& operator<<(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
    return *this;
  }
  Printed print(std::string_view format) const {
    PrintfArguments arguments;
    arguments.read = [this](u64 offset, u32 bytes, void* to) {
      if (offset + bytes > bytes_.size()) return false;
      std::memcpy(to, bytes_.data() + offset, bytes);
      return true;
    };
    arguments.text = [](u64 address, std::string& text) {
      text = reinterpret_cast<const char*>(address);
      return true;
    };
    return formatPrintf(format, arguments);
  }

 private:
  std::vector<u8> bytes_;
};

TEST(PrintfFormat, Integers) {
  EXPECT_EQ((Buffer() << -5 << 7u << 255u << 8u).print("%d %u %x %o\n").text, "-5 7 ff 10\n");
  EXPECT_EQ((Buffer() << s64{-5000000000} << u64{1} << 62).print("%lld|%lu|%i").text, "-5000000000|1|62");
  EXPECT_EQ((Buffer() << 42 << 42).print("[%6d][%-6d]").text, "[    42][42    ]");
  EXPECT_EQ((Buffer() << 300 << 300).print("%hhd %hd").text, "44 300");
}

TEST(PrintfFormat, AlignmentOfMixedArguments) {
  EXPECT_EQ((Buffer() << 1 << 2.5 << 3 << s64{4}).print("%d %f %d %lld").text, "1 2.500000 3 4");
}

TEST(PrintfFormat, Floats) {
  EXPECT_EQ((Buffer() << 1.5 << 1234567.0 << 0.1).print("%.2f %e %g").text, "1.50 1.234567e+06 0.1");
  EXPECT_EQ((Buffer() << 8 << 3 << 3.14159).print("%*.*f").text, "   3.142");
}

TEST(PrintfFormat, StringsCharactersPointers) {
  EXPECT_EQ((Buffer() << "text" << int{'c'}).print("%s %c").text, "text c");
  EXPECT_EQ((Buffer() << static_cast<const char*>(nullptr)).print("%s").text, "(null)");
  EXPECT_EQ((Buffer() << u64{0xabc}).print("%p").text, "0xabc");
}

TEST(PrintfFormat, PercentUnknownAndCutOff) {
  EXPECT_EQ(Buffer().print("100%% %k end %").text, "100% %k end %");
  EXPECT_EQ(Buffer().print("plain").conversions, 0);
  EXPECT_EQ((Buffer() << 1 << 2).print("%d %d").conversions, 2);
  EXPECT_EQ((Buffer() << 1).print("%d %d").conversions, -1);
}

}  // namespace
}  // namespace warpwright::exec
