// Addresses that say which space they are in.
#pragma once

#include <compare>
#include <concepts>
#include <functional>

#include "base/id.hpp"
#include "base/integers.hpp"

namespace warpwright {

// The number of a byte in a space: in global memory, in the shared memory of a block. Addresses of different spaces do not mix, and a plain
// number becomes an address only where that is written. An address can be used as a number, to divide and to mask; what comes out is a
// number. An address more or less a number of bytes is an address of the same space, and the difference of two is a number of bytes.
// `Space` is never defined.
template <class Space>
class AddressIn {
 public:
  constexpr AddressIn() = default;  // 0
  constexpr explicit AddressIn(u64 byte) : byte_(byte) {}
  template <class Other>
  explicit AddressIn(AddressIn<Other>) = delete;
  template <class Kind>
  explicit AddressIn(Id<Kind>) = delete;
  constexpr operator u64() const { return byte_; }

  constexpr bool operator==(const AddressIn&) const = default;
  constexpr auto operator<=>(const AddressIn&) const = default;
  constexpr AddressIn& operator+=(u64 bytes) {
    byte_ += bytes;
    return *this;
  }

 private:
  u64 byte_ = 0;
};

// Numbers of bytes are of any integral type: were they u64 alone, the sum with an int would be as much a sum of two numbers.
template <class Space, std::integral Bytes>
constexpr AddressIn<Space> operator+(AddressIn<Space> address, Bytes bytes) {
  return AddressIn<Space>(static_cast<u64>(address) + static_cast<u64>(bytes));
}
template <class Space, std::integral Bytes>
constexpr AddressIn<Space> operator-(AddressIn<Space> address, Bytes bytes) {
  return AddressIn<Space>(static_cast<u64>(address) - static_cast<u64>(bytes));
}
template <class Space>
constexpr u64 operator-(AddressIn<Space> address, AddressIn<Space> from) {
  return static_cast<u64>(address) - static_cast<u64>(from);
}

// The last address up to it that is a multiple of `alignment`, a power of two.
template <class Space>
constexpr AddressIn<Space> alignDown(AddressIn<Space> address, u64 alignment) {
  return AddressIn<Space>(address & ~(alignment - 1));
}

// As numbers two addresses would have a sum, and those of different spaces could be compared.
template <class Space, class Other>
void operator+(AddressIn<Space>, AddressIn<Other>) = delete;
template <class Space, class Other>
requires(!std::same_as<Space, Other>) void operator-(AddressIn<Space>, AddressIn<Other>) = delete;
template <class Space, class Other>
requires(!std::same_as<Space, Other>) bool operator==(AddressIn<Space>, AddressIn<Other>) = delete;
template <class Space, class Other>
requires(!std::same_as<Space, Other>) auto operator<=>(AddressIn<Space>, AddressIn<Other>) = delete;

}  // namespace warpwright

template <class Space>
struct std::hash<warpwright::AddressIn<Space>> {
  std::size_t operator()(warpwright::AddressIn<Space> address) const noexcept { return std::hash<warpwright::u64>{}(address); }
};
