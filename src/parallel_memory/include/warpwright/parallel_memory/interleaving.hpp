// Interleaving and skewing.
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// Low-order interleaving: neighbouring words lie in neighbouring banks.
class LowOrder final : public BankMap {
 public:
  LowOrder(std::uint32_t banks, Address words) : BankMap({banks, 1, words}) {}
  Cell cellOf(Address address) const override { return {static_cast<std::uint32_t>(address % banks()), address / banks(), 0}; }
};

// General linear skewing (Kuck 1968; Shapiro 1978): element (i, j) of an array with `columns` columns lies in bank
// (lambda1 i + lambda2 j) mod banks. lambda2 must have no divisor in common with the number of banks, so that neighbours of a row of
// the array differ; else two of them would share a cell. Where the columns do not fill whole rows of banks, cells are left empty.
class LinearSkewing final : public BankMap {
 public:
  struct Parameters {
    std::uint32_t lambda1 = 1, lambda2 = 1;
    Address columns = 0;  // 0: as many as banks
  };
  LinearSkewing(std::uint32_t banks, Address words, Parameters parameters);
  Cell cellOf(Address address) const override;

 private:
  Parameters parameters_;
  Address rowsOfBanks_;  // that one row of the array takes
};

// Simple skewing (Gou, figure 2.1b): each row of banks is rotated by one more than the row before.
class Skewing final : public BankMap {
 public:
  Skewing(std::uint32_t banks, Address words) : BankMap({banks, 1, words}) {}
  Cell cellOf(Address address) const override {
    const Address row = address / banks();
    return {static_cast<std::uint32_t>((address + row) % banks()), row, 0};
  }
};

}  // namespace warpwright::parallel_memory
