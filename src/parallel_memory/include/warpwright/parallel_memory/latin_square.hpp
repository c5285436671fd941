// Perfect Latin squares as bank maps.
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// A perfect Latin square (Kim and Prasanna Kumar 1989) of order N = m^2 has every symbol once in each row, each column, both main
// diagonals, and each of the m x m squares that it is divided into. With (i1, i0) and (j1, j0) the digits of i and j to base m,
//
//   bank(i, j) = ((i1 + i0 + j1) mod m, (i1 + j0) mod m)
//
// is one for every m: on a row it is a shift, and the matrices of column, diagonals and squares have determinants 1 or -1. Other
// orders have no squares of m x m and therefore no perfect Latin square.
//
// An array with `columns` columns is tiled by N x N squares.
class PerfectLatinSquare final : public BankMap {
 public:
  // `banks` must be a square; `columns` a multiple of it, 0: as many as banks.
  PerfectLatinSquare(std::uint32_t banks, Address words, Address columns = 0);
  Cell cellOf(Address address) const override;

 private:
  std::uint32_t root_;
  Address columns_;
};

}  // namespace warpwright::parallel_memory
