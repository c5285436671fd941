// Fibonacci lattices as bank maps.
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// A Fibonacci lattice (Chor, Leiserson, Rivest and Shearer, "An Application of Number Theory to the Organization of Raster-Graphics
// Memory", JACM 1986): with a Fibonacci number F_k of banks, element (i, j) of an array lies in bank
//
//   (F_(k-1) i + j) mod F_k
//
// so that the elements of one bank are a lattice without short vectors. Every rectangle of at most F_k / sqrt(5) elements, of any shape
// and at any place, is without conflict. Gou's thesis (section 2.1) gives the name and that bound; the multiplier F_(k-1) is our reading,
// and the tests try every rectangle with it. Cells are left empty where the columns are no multiple of the banks.
class FibonacciLattice final : public BankMap {
 public:
  // `banks` must be a Fibonacci number; `columns` of the array, 0: as many as banks.
  FibonacciLattice(std::uint32_t banks, Address words, Address columns = 0);
  Cell cellOf(Address address) const override;

 private:
  std::uint32_t lambda_;
  Address columns_;
  Address rowsOfBanks_;  // that one row of the array takes
};

// The smallest Fibonacci number that is not below `number`.
std::uint32_t fibonacciFrom(std::uint32_t number);

}  // namespace warpwright::parallel_memory
