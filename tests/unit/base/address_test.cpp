// What the compiler takes of addresses of different spaces, and what it does not.
#include "base/address.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>
#include <unordered_set>

#include "base/types.hpp"

namespace warpwright {
namespace {

template <class One, class Other>
concept CanBeAdded = requires(One one, Other other) {
  one + other;
};
template <class One, class Other>
concept CanBeSubtracted = requires(One one, Other other) {
  one - other;
};
template <class One, class Other>
concept CanBeCompared = requires(One one, Other other) {
  one == other;
}
|| requires(One one, Other other) { one < other; };
template <class To, class From>
concept CanBeAssigned = requires(To to, From from) {
  to = from;
};

// --- a number, or an address of another space, is no address
static_assert(!std::convertible_to<u64, GlobalAddress>);
static_assert(std::constructible_from<GlobalAddress, u64>);
static_assert(!CanBeAssigned<GlobalAddress, u64>);
static_assert(!std::convertible_to<SharedOffset, GlobalAddress>);
static_assert(!std::constructible_from<GlobalAddress, SharedOffset>);
static_assert(!CanBeAssigned<GlobalAddress, SharedOffset>);
static_assert(!std::constructible_from<GlobalAddress, SlotId>);

// --- an address is a number where one is asked for
static_assert(std::convertible_to<GlobalAddress, u64>);

// --- sums and differences
static_assert(std::same_as<decltype(GlobalAddress() + 4), GlobalAddress>);
static_assert(std::same_as<decltype(GlobalAddress() + u64{4}), GlobalAddress>);
static_assert(std::same_as<decltype(GlobalAddress() - 4u), GlobalAddress>);
static_assert(std::same_as<decltype(GlobalAddress() - GlobalAddress()), u64>);
static_assert(!CanBeAdded<GlobalAddress, GlobalAddress>);
static_assert(!CanBeAdded<GlobalAddress, SharedOffset>);
static_assert(!CanBeSubtracted<GlobalAddress, SharedOffset>);

// --- comparisons
static_assert(std::totally_ordered<GlobalAddress>);
static_assert(CanBeCompared<GlobalAddress, u64>);
static_assert(!CanBeCompared<GlobalAddress, SharedOffset>);

// --- it costs what a number costs
static_assert(sizeof(GlobalAddress) == sizeof(u64));
static_assert(std::is_trivially_copyable_v<GlobalAddress>);

TEST(Address, BytesMoveIt) {
  GlobalAddress address(100);
  EXPECT_EQ(address + 28, GlobalAddress(128));
  EXPECT_EQ(address - 100, GlobalAddress());
  EXPECT_EQ(GlobalAddress(128) - address, 28u);
  address += 4;
  EXPECT_EQ(address, GlobalAddress(104));
  EXPECT_EQ(address / 8, 13u);
}

TEST(Address, AMultipleBelowOrItself) {
  EXPECT_EQ(alignDown(GlobalAddress(255), 128), GlobalAddress(128));
  EXPECT_EQ(alignDown(GlobalAddress(256), 128), GlobalAddress(256));
  EXPECT_EQ(alignDown(GlobalAddress((u64{1} << 48) + 31), 32), GlobalAddress(u64{1} << 48));
}

TEST(Address, CanBeAKey) {
  const std::unordered_set<SharedOffset> offsets = {SharedOffset(0), SharedOffset(64)};
  EXPECT_TRUE(offsets.contains(SharedOffset(64)));
  EXPECT_FALSE(offsets.contains(SharedOffset(32)));
}

}  // namespace
}  // namespace warpwright
