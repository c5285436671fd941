// Sets of small numbers in one word: lanes of a warp, warp slots of an SM, ways of a cache.
#pragma once

#include <bit>

#include "base/id.hpp"
#include "base/integers.hpp"

namespace warpwright {

// A set of numbers from 0 to 63. Sets of different kinds do not mix, with one another or with ids of other kinds: `Kind` says what the
// numbers are of, and is never defined. Iterating gives the members in ascending order; changing the set meanwhile does not change what is
// still given. All operations are a few instructions.
template <class Kind>
class BitSet {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(u64 rest) : rest_(rest) {}
    constexpr Id<Kind> operator*() const { return Id<Kind>(static_cast<u32>(std::countr_zero(rest_))); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return rest_ != other.rest_; }

   private:
    u64 rest_;
  };

  static constexpr u32 kMost = 64;

  constexpr BitSet() = default;  // empty
  // Bit k: whether k is a member.
  constexpr explicit BitSet(u64 bits) : bits_(bits) {}
  static constexpr BitSet of(u32 member) { return BitSet(u64{1} << member); }
  // 0 … count - 1; count up to 64.
  static constexpr BitSet first(u32 count) { return BitSet(lowBits(count)); }
  // `count` members from `begin` on; both together up to 64, begin below.
  static constexpr BitSet range(u32 begin, u32 count) { return BitSet(first(count).bits() << begin); }

  constexpr u64 bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr explicit operator bool() const { return bits_ != 0; }
  constexpr u32 size() const { return static_cast<u32>(std::popcount(bits_)); }
  constexpr bool contains(u32 member) const { return (bits_ >> member & 1) != 0; }
  constexpr bool containsAll(BitSet other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr bool meets(BitSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr bool hasOne() const { return std::has_single_bit(bits_); }
  // Whether the members are 0 … size() - 1; of an empty set, too.
  constexpr bool isPrefix() const { return (bits_ & (bits_ + 1)) == 0; }
  // The least and the greatest member; of an empty set 64 and ~0.
  constexpr Id<Kind> least() const { return Id<Kind>(static_cast<u32>(std::countr_zero(bits_))); }
  constexpr Id<Kind> greatest() const { return Id<Kind>(static_cast<u32>(std::bit_width(bits_)) - 1); }
  // The members that are not below `member`.
  constexpr BitSet from(u32 member) const { return BitSet(member < kMost ? bits_ >> member << member : 0); }
  // The least of those, or, going round, the least of all. Not of an empty set.
  constexpr Id<Kind> nextFrom(u32 member) const {
    const BitSet behind = from(member);
    return (behind ? behind : *this).least();
  }
  constexpr BitSet withoutLeast() const { return BitSet(bits_ & (bits_ - 1)); }
  // Each member less by `by`; those below it are lost. by below 64.
  constexpr BitSet lowered(u32 by) const { return BitSet(bits_ >> by); }
  constexpr BitSet raised(u32 by) const { return BitSet(bits_ << by); }
  constexpr BitSet below(u32 member) const { return *this & first(member); }

  template <class Other>
  static BitSet of(Id<Other>) = delete;
  template <class Other>
  bool contains(Id<Other>) const = delete;
  template <class Other>
  void insert(Id<Other>) = delete;
  template <class Other>
  void erase(Id<Other>) = delete;
  static constexpr BitSet of(Id<Kind> member) { return of(u32{member}); }
  constexpr bool contains(Id<Kind> member) const { return contains(u32{member}); }
  constexpr void insert(Id<Kind> member) { insert(u32{member}); }
  constexpr void erase(Id<Kind> member) { erase(u32{member}); }

  constexpr void insert(u32 member) { bits_ |= u64{1} << member; }
  constexpr void erase(u32 member) { bits_ &= ~(u64{1} << member); }
  constexpr void set(u32 member, bool isMember) { isMember ? insert(member) : erase(member); }
  constexpr void clear() { bits_ = 0; }
  // The least member, which it loses. Not of an empty set.
  constexpr Id<Kind> takeLeast() {
    const Id<Kind> member = least();
    bits_ &= bits_ - 1;
    return member;
  }

  constexpr BitSet operator|(BitSet other) const { return BitSet(bits_ | other.bits_); }
  constexpr BitSet operator&(BitSet other) const { return BitSet(bits_ & other.bits_); }
  constexpr BitSet operator^(BitSet other) const { return BitSet(bits_ ^ other.bits_); }
  constexpr BitSet operator-(BitSet other) const { return BitSet(bits_ & ~other.bits_); }
  constexpr BitSet& operator|=(BitSet other) { return *this = *this | other; }
  constexpr BitSet& operator&=(BitSet other) { return *this = *this & other; }
  constexpr BitSet& operator^=(BitSet other) { return *this = *this ^ other; }
  constexpr BitSet& operator-=(BitSet other) { return *this = *this - other; }
  // Of all 64 numbers; `a - b` says more plainly what `a & ~b` does.
  constexpr BitSet operator~() const { return BitSet(~bits_); }
  constexpr bool operator==(const BitSet&) const = default;

  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  u64 bits_ = 0;
};

}  // namespace warpwright
