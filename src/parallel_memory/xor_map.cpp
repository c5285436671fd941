#include <algorithm>
#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/xor_map.hpp>

namespace warpwright::parallel_memory {
namespace {

bool isOdd(Address bits) { return std::popcount(bits) % 2 != 0; }

// A set of linearly independent vectors, each reduced by those before it.
class Span {
 public:
  // Whether the vector is independent of those that are in, and then takes it in.
  bool add(Address vector) {
    for (const Address known : reduced_) vector = std::min(vector, vector ^ known);
    if (vector == 0) return false;
    reduced_.push_back(vector);
    return true;
  }

 private:
  std::vector<Address> reduced_;
};

// Column `bit` of the matrix: what the address bit does to the bank.
Address columnOf(const XorMatrix& matrix, std::uint32_t bit) { return bankOf(matrix, Address{1} << bit); }

}  // namespace

std::uint32_t bankOf(const XorMatrix& matrix, Address address) {
  std::uint32_t bank = 0;
  for (std::size_t i = 0; i < matrix.bankMasks.size(); ++i) bank |= static_cast<std::uint32_t>(isOdd(address & matrix.bankMasks[i])) << i;
  return bank;
}

std::uint32_t xorGates(const XorMatrix& matrix) {
  std::uint32_t gates = 0;
  for (const Address mask : matrix.bankMasks) gates += static_cast<std::uint32_t>(std::max(1, std::popcount(mask)) - 1);
  return gates;
}

// The bases of a vector space are a matroid: taking the lightest vectors first gives the lightest basis.
XorMatrix cheapest(const XorMatrix& matrix) {
  std::vector<Address> sums;
  for (Address choice = 1; choice >> matrix.bankMasks.size() == 0; ++choice) {
    Address sum = 0;
    for (std::size_t i = 0; i < matrix.bankMasks.size(); ++i)
      if (choice >> i & 1) sum ^= matrix.bankMasks[i];
    sums.push_back(sum);
  }
  std::stable_sort(sums.begin(), sums.end(),
                   [](Address a, Address b) { return std::pair(std::popcount(a), a) < std::pair(std::popcount(b), b); });
  XorMatrix result{{}, matrix.linePartner};
  Span span;
  for (const Address sum : sums)
    if (span.add(sum)) result.bankMasks.push_back(sum);
  return result;
}

XorMap::XorMap(XorMatrix matrix, std::uint32_t n)
    : BankMap({1u << matrix.bankMasks.size(), matrix.linePartner == 0 ? 1u : 2u, Address{1} << n}),
      matrix_(std::move(matrix)),
      offsetBit_(matrix_.linePartner & (~matrix_.linePartner + 1)),
      rowBits_(words() - 1) {
  if (bankOf(matrix_, matrix_.linePartner) != 0)
    throw std::invalid_argument(
        "XOR map: two words of a row would lie in different banks; each mask must share an even number of bits "
        "with the line partner");
  rowBits_ &= ~offsetBit_;
  Span pivots;
  std::size_t rank = 0;
  for (std::uint32_t bit = 0; bit < n && rank < matrix_.bankMasks.size(); ++bit) {
    const Address mask = Address{1} << bit;
    if (mask == offsetBit_ || !pivots.add(columnOf(matrix_, bit))) continue;
    rowBits_ &= ~mask;
    ++rank;
  }
  if (rank < matrix_.bankMasks.size())
    throw std::invalid_argument("XOR map: the masks of the bank bits are not linearly independent over the " + std::to_string(n) +
                                " address bits, so that some banks would stay empty and cells be shared");
}

Cell XorMap::cellOf(Address address) const {
  const bool second = (address & offsetBit_) != 0;
  const Address first = second ? address ^ matrix_.linePartner : address;  // of the two words of the row
  Address row = 0;
  std::uint32_t place = 0;
  for (Address rest = rowBits_; rest != 0; rest &= rest - 1) row |= (first >> std::countr_zero(rest) & 1) << place++;
  return {bankOf(matrix_, first), row, second ? 1u : 0u};
}

std::optional<XorMatrix> matrixOf(const BankMap& map) {
  if (!std::has_single_bit(map.banks()) || !std::has_single_bit(map.words()) || map.cellOf(0).bank != 0) return std::nullopt;
  XorMatrix matrix;
  matrix.bankMasks.resize(static_cast<std::size_t>(std::countr_zero(map.banks())));
  for (Address bit = 1; bit < map.words(); bit <<= 1)
    for (std::size_t i = 0; i < matrix.bankMasks.size(); ++i)
      if (map.cellOf(bit).bank >> i & 1) matrix.bankMasks[i] |= bit;
  for (Address address = 0; address < map.words(); ++address)
    if (map.cellOf(address).bank != bankOf(matrix, address)) return std::nullopt;
  return matrix;
}

}  // namespace warpwright::parallel_memory
