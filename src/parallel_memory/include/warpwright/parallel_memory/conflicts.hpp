// How many accesses of a bank a vector access takes, for one base address and for all of them.
#pragma once

#include <span>
#include <string>
#include <vector>
#include <warpwright/parallel_memory/bank_table.hpp>

namespace warpwright::parallel_memory {

// The largest number of distinct rows that one bank is asked for: 1 without conflict. Words of one row are served together.
std::uint32_t conflictDegree(const BankMap& map, std::span<const Address> addresses);

// A vector access: what its lanes ask for, from the base address on. Base addresses are multiples of `alignment`.
struct Pattern {
  std::string name;
  std::vector<Address> offsets;
  Address alignment = 1;
  // Of a two-dimensional array with so many columns: the lanes reach `left` and `right` from the base's column, and stay inside the array.
  // 0: of no array.
  Address columns = 0, left = 0, right = 0;

  bool mayBeginAt(Address base) const {
    if (base % alignment != 0) return false;
    return columns == 0 || (base % columns >= left && base % columns + right < columns);
  }
};

Pattern stridedPattern(Address stride, std::uint32_t lanes);

// Patterns as text: "stride:S"; "family:V", the strides sigma 2^V with odd sigma below the number of lanes; "block:RxC@P", R rows
// and C columns of an array with P columns; "diagonal@P" and "antidiagonal@P" of such an array. ",VxH" behind these three: neighbours are
// V rows and H columns apart. "/A" behind: base addresses are multiples of A. Throws std::invalid_argument.
std::vector<Pattern> parsePatterns(const std::string& text, std::uint32_t lanes);

// Over all base addresses from which the pattern stays inside the memory.
struct Degrees {
  std::uint32_t worst = 0;
  double mean = 0;
  Address bases = 0;              // 0: the memory is too small for the pattern
  Address conflictFreeBases = 0;  // of degree 1
  bool banksDiffer = true;        // every lane has a bank of its own, from every base: wide rows are not needed

  bool isConflictFree() const { return worst == 1; }
};
Degrees degreesOf(const BankTable& table, const Pattern& pattern);

}  // namespace warpwright::parallel_memory
