// Semi-linear skewing: linear along a row of an array, by a table down its columns.
#pragma once

#include <vector>
#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// Element (i, j) of an array with `columns` columns lies in bank (shifts[i mod shifts.size()] + j) mod banks. Rows of up to `banks`
// elements are without conflict for every table; columns are where its values differ, forward diagonals where those of shifts[i] + i do.
// Where the columns do not fill whole rows of banks, cells are left empty.
//
// A linear table cannot serve rows, columns and forward diagonals of N x N elements in an even number N of banks, and neither can any other
// (Hall and Paige 1955: the integers modulo an even N have no complete mapping). With one row less there are tables that do. That is what
// Gou's thesis (section 2.1) reports of Jorda, Mzoughi and Litaize's semi-linear and bi-base schemes (ICS 1995), whose formulas it does not
// give; the two tables below have the properties that it states and are our own.
class RowSkewing final : public BankMap {
 public:
  // `shifts` must not be empty; `columns` 0: as many as banks.
  RowSkewing(std::uint32_t banks, Address words, Address columns, std::vector<std::uint32_t> shifts);
  Cell cellOf(Address address) const override;

 private:
  std::vector<std::uint32_t> shifts_;
  Address columns_;
  Address rowsOfBanks_;  // that one row of the array takes
};

// For an even number of banks banks - 1 shifts, i below banks / 2 and i + 1 from there on: rows, columns and forward diagonals of
// (banks - 1) x (banks - 1) elements from rows that are multiples of banks - 1. For an odd one the shifts 0 ... banks - 1, which serve as
// many rows as banks. Throws std::invalid_argument for no bank.
std::vector<std::uint32_t> semiLinearShifts(std::uint32_t banks);

// banks - 1 shifts for banks = m^2, with two bases: shift(i) = m pi(i) + floor(i / m) mod m, where pi permutes the m rows of a group.
// Beside rows, columns and forward diagonals it serves submatrices of m x m elements whose rows are one group. The permutations are found
// by matching. Throws std::invalid_argument unless banks is 1, 4, 9, ..., 64.
std::vector<std::uint32_t> biBaseShifts(std::uint32_t banks);

}  // namespace warpwright::parallel_memory
