// Memories with a prime number of banks (Gou, section 2.1): strides that are no multiple of it find no conflict.
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// Equation 2.1. The row takes a division by a prime.
class PrimeBanks final : public BankMap {
 public:
  PrimeBanks(std::uint32_t banks, Address words) : BankMap({banks, 1, words}) {}
  Cell cellOf(Address address) const override { return {static_cast<std::uint32_t>(address % banks()), address / banks(), 0}; }
};

// Equation 2.2, the Burroughs Scientific Processor: 2^q + 1 banks, rows of 2^q words. Dividing costs nothing, and one cell in 2^q + 1 is
// never used. 2^q + 1 is prime for q = 1, 2, 4, 8, 16 alone; strides that share a divisor with it conflict.
class PrimeWithUnusedCells final : public BankMap {
 public:
  PrimeWithUnusedCells(std::uint32_t q, Address words) : BankMap({(1u << q) + 1, 1, words}), q_(q) {}
  Cell cellOf(Address address) const override { return {static_cast<std::uint32_t>(address % banks()), address >> q_, 0}; }

 private:
  std::uint32_t q_;
};

// Gao's scheme after the Chinese remainder theorem: with 2^m rows, which share no divisor with an odd number of banks, the row is the
// address modulo 2^m, and no cell is lost.
class PrimeByRemainders final : public BankMap {
 public:
  // `banks` must be odd. There are banks x 2^m words.
  PrimeByRemainders(std::uint32_t banks, std::uint32_t m);
  Cell cellOf(Address address) const override { return {static_cast<std::uint32_t>(address % banks()), address & (rows_ - 1), 0}; }

 private:
  Address rows_;
};

bool isPrime(std::uint32_t number);
// The smallest prime that is not below.
std::uint32_t primeFrom(std::uint32_t number);

}  // namespace warpwright::parallel_memory
