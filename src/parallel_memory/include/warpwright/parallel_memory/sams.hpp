// Harper's XOR scheme and the single-affiliation multiple-stride scheme (SAMS) of Gou's thesis, with data lines two words wide.
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// The low `banks` bits of a (x) T_H(banks, stride), Gou, section 3.2.2: bit k of the bank is bit k of the address, exclusive-or bit
// k + max(banks, stride) where k < min(banks, stride). `banks` is the logarithm of their number, `stride` the number of the stride
// family, sigma 2^stride with odd sigma.
std::uint32_t harperBank(Address address, std::uint32_t banks, std::uint32_t stride);

// Harper's XOR scheme: without conflict for stride family s.
class HarperXor final : public BankMap {
 public:
  HarperXor(std::uint32_t q, std::uint32_t s, Address words) : BankMap({1u << q, 1, words}), q_(q), s_(s) {}
  Cell cellOf(Address address) const override { return {harperBank(address, q_, s_), address >> q_, 0}; }

 private:
  std::uint32_t q_, s_;
};

// SAMS, equations 3.1 to 3.3: 2^q banks, an address space of 2^n words; without conflict for unit stride and for stride family s, at
// every base address. For s >= 1 the other odd strides do conflict.
class Sams final : public BankMap {
 public:
  // q < n. s may be anything.
  Sams(std::uint32_t q, std::uint32_t s, std::uint32_t n);
  Cell cellOf(Address address) const override;

 private:
  std::uint32_t bankOf(Address address) const;

  std::uint32_t q_, s_, n_;
};

// Matched SAMS, equation 3.4, is SAMS with s = q: without conflict for the strides 1, 2, ..., 2^(q-1) and stride family q.
inline Sams matchedSams(std::uint32_t q, std::uint32_t n) { return {q, q, n}; }

// The pattern NaS ("not a stride") of section 4.3.2: neighbouring words share a row. For aligned accesses to neighbouring words.
class NotAStride final : public BankMap {
 public:
  NotAStride(std::uint32_t q, Address words) : BankMap({1u << q, 2, words}), q_(q) {}
  Cell cellOf(Address address) const override {
    return {static_cast<std::uint32_t>(address / 2 % banks()), address >> (q_ + 1), static_cast<std::uint32_t>(address & 1)};
  }

 private:
  std::uint32_t q_;
};

}  // namespace warpwright::parallel_memory
