#include "profile/data/line_contents.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/memory_units.hpp"

namespace warpwright::profile {
namespace {

class LineContentsTest : public ::testing::Test {
 protected:
  u64 array(u64 bytes) { return *memory.allocate(bytes, exec::AllocationKind::device); }
  static void fill(u64 address, u32 value) {
    std::memset(exec::GlobalMemory::hostPointer(GlobalAddress(address)), static_cast<int>(value), access::kLineBytes);
  }
  static void touch(LineContents& contents, u64 address, bool load, bool store) {
    const u64 sector = address / kSectorBytes;
    contents.touch({&sector, 1}, load, store);
  }

  struct Seen {
    u64 address;
    int loaded, stored;  // the first byte; -1: none
    bool operator==(const Seen&) const = default;
  };
  static std::vector<Seen> seen(const LineContents& contents) {
    const auto first = [](std::span<const std::byte> bytes) { return bytes.empty() ? -1 : std::to_integer<int>(bytes.front()); };
    std::vector<Seen> all;
    contents.forEach([&](const LineContents::Line& line) { all.push_back({line.address, first(line.loaded), first(line.stored)}); });
    return all;
  }

  exec::GlobalMemory memory{{.capacity = 1 << 20}};
};

TEST_F(LineContentsTest, LoadsFindWhatWasThereAndStoresLeaveWhatIsThereAtTheEnd) {
  const u64 loaded = array(4096), stored = loaded + 128, both = loaded + 256;
  LineContents contents(memory);
  for (const u64 line : {loaded, stored, both}) fill(line, 1);
  touch(contents, loaded, true, false);
  touch(contents, stored, false, true);
  touch(contents, both + 96, true, false);
  touch(contents, both, false, true);
  for (const u64 line : {stored, both}) fill(line, 2);
  touch(contents, both + 32, true, false);  // a later load of the same line
  const std::vector<Seen> expected = {{loaded, 1, -1}, {stored, -1, 2}, {both, 1, 2}};
  EXPECT_EQ(seen(contents), expected);
}

TEST_F(LineContentsTest, TheFirstOfThoseMergedCounts) {
  const u64 both = array(4096), other = both + 128;
  LineContents first(memory), second(memory);
  fill(both, 1);
  touch(first, both, true, false);
  fill(both, 2);
  fill(other, 3);
  touch(second, both, true, true);
  touch(second, other, true, false);
  first.merge(second);
  const std::vector<Seen> expected = {{both, 1, 2}, {other, 3, -1}};
  EXPECT_EQ(seen(first), expected);
}

TEST_F(LineContentsTest, OfTheHostsMemoryOnlyWhatIsRegisteredIsRead) {
  alignas(access::kLineBytes) static std::byte host[3 * access::kLineBytes];
  const u64 address = reinterpret_cast<u64>(host);
  fill(address + access::kLineBytes, 7);
  ASSERT_TRUE(memory.registerHost(host + 64, 2 * access::kLineBytes));
  LineContents contents(memory);
  for (u32 line = 0; line < 3; ++line) touch(contents, address + u64{line} * access::kLineBytes + 64, true, false);
  const std::vector<Seen> expected = {{address + access::kLineBytes, 7, -1}};
  EXPECT_EQ(seen(contents), expected) << "the others reach beyond";
}

TEST_F(LineContentsTest, AccessesOutOfBoundsAreNoLines) {
  LineContents contents(memory);
  touch(contents, 0, true, false);
  touch(contents, ~u64{0} & ~u64{127}, true, true);
  EXPECT_TRUE(seen(contents).empty());
}

}  // namespace
}  // namespace warpwright::profile
