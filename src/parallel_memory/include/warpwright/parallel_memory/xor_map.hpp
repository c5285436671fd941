// Bank maps that are linear over GF(2): every bit of the bank is the exclusive-or of address bits.
#pragma once

#include <bit>
#include <optional>
#include <vector>
#include <warpwright/parallel_memory/bank_map.hpp>

namespace warpwright::parallel_memory {

// The matrix of the module assignment: bank bit i is the parity of address & bankMasks[i]. Two addresses share a row of a bank when
// their exclusive-or is linePartner; 0: rows hold one word.
struct XorMatrix {
  std::vector<Address> bankMasks;
  Address linePartner = 0;

  bool operator==(const XorMatrix&) const = default;
};

std::uint32_t bankOf(const XorMatrix& matrix, Address address);
// Two-input XOR gates, none shared between bank bits.
std::uint32_t xorGates(const XorMatrix& matrix);
// The matrix with the same conflicts whose bank bits take the fewest gates: other sums of the rows, which only rename the banks.
XorMatrix cheapest(const XorMatrix& matrix);

// Rows and offsets are chosen so that the map is a bijection: the offset is the lowest bit of linePartner, the row has the highest
// address bits that leave it one.
class XorMap final : public BankMap {
 public:
  // The masks must be linearly independent, and each have an even number of bits in common with linePartner. 2^n words.
  XorMap(XorMatrix matrix, std::uint32_t n);
  Cell cellOf(Address address) const override;

 private:
  XorMatrix matrix_;
  Address offsetBit_, rowBits_;
};

// The matrix of any map whose banks are linear over GF(2), found by asking it; nothing for the others. The line partner is not looked for.
std::optional<XorMatrix> matrixOf(const BankMap& map);

}  // namespace warpwright::parallel_memory
