#include <algorithm>
#include <bit>
#include <stdexcept>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/two_dsmm.hpp>

namespace warpwright::parallel_memory {

TwoDsmm::TwoDsmm(Size size, Families families)
    : BankMap({1u << (size.p + size.q), 1, size.rows * size.columns}), size_(size), families_(families) {
  if (size.p > size.q) throw std::invalid_argument("2DSMM: p must not be above q");
  if (!std::has_single_bit(size.rows) || !std::has_single_bit(size.columns) || size.rows >> size.p == 0 || size.columns >> size.q == 0)
    throw std::invalid_argument("2DSMM: rows and columns must be powers of two, at least 2^p and 2^q");
}

Cell TwoDsmm::cellAt(Address i, Address j) const {
  const auto [p, q, rows, columns] = size_;
  const auto [vs, hs] = families_;
  // Beyond 63 bits there is nothing to shift down.
  const Address alpha = Address{q} + hs < 64 ? j >> (q + hs) : 0;
  const Address beta = (j >> q) << (p - std::min(p, hs));
  const auto vertical = static_cast<std::uint32_t>((harperBank(i, p, vs) + alpha + beta) & ((1u << p) - 1));
  return {vertical << q | harperBank(j, q, hs), (i >> p) * (columns >> q) + (j >> q), 0};
}

}  // namespace warpwright::parallel_memory
