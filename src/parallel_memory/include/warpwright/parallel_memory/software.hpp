// What programmers do by hand on memories with low-order interleaving: the word is stored elsewhere.
#pragma once

#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// XOR swizzle: `bits` bits of the address from `base` on are exclusive-or'ed with those `shift` bits above. With base 0 and bits = shift
// = log2(banks) it is the usual tile[y][x ^ y]; with others the Swizzle<bits, base, shift> of CUTLASS.
class Swizzle final : public BankMap {
 public:
  struct Parameters {
    std::uint32_t bits = 0, base = 0, shift = 0;
  };
  // bits <= shift, so that what is read is not changed.
  Swizzle(std::uint32_t banks, Address words, Parameters parameters);
  Cell cellOf(Address address) const override;

 private:
  Parameters parameters_;
};

// Padding: `pad` unused words after every `columns` words, as in tile[32][32 + 1].
class Padding final : public BankMap {
 public:
  Padding(std::uint32_t banks, Address words, Address columns, Address pad);
  Cell cellOf(Address address) const override;

 private:
  Address columns_, pad_;
};

}  // namespace warpwright::parallel_memory
