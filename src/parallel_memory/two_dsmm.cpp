#include <algorithm>
#include <bit>
#include <stdexcept>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/two_dsmm.hpp>

namespace warpwright::parallel_memory {

TwoDsmm::TwoDsmm(Size size, Families families, Vertical vertical)
    : BankMap({1u << (size.p + size.q), 1, size.rows * size.columns}), size_(size), vertical_(vertical) {
  if (size.p > size.q) throw std::invalid_argument("2DSMM: p must not be above q");
  if (!std::has_single_bit(size.rows) || !std::has_single_bit(size.columns) || size.rows >> size.p == 0 || size.columns >> size.q == 0)
    throw std::invalid_argument("2DSMM: rows and columns must be powers of two, at least 2^p and 2^q");
  configure(families);
}

void TwoDsmm::configure(Families families) {
  if (vertical_ == Vertical::section342 && Address{size_.p} + families.vs > 63)
    throw std::invalid_argument(
        "2DSMM: the vertical function of section 3.4.2 adds at bit vs and needs p + vs below 64; take a smaller vs");
  families_ = families;
}

std::uint32_t TwoDsmm::verticalBank(Address i, Address alphaAndBeta) const {
  const Address mask = (Address{1} << size_.p) - 1;
  if (vertical_ == Vertical::section342) return harperBank(i + ((alphaAndBeta & mask) << families_.vs), size_.p, families_.vs);
  return static_cast<std::uint32_t>((harperBank(i, size_.p, families_.vs) + alphaAndBeta) & mask);
}

Cell TwoDsmm::cellAt(Address i, Address j) const {
  const auto [p, q, rows, columns] = size_;
  const std::uint32_t hs = families_.hs;
  // Beyond 63 bits there is nothing to shift down.
  const Address alpha = Address{q} + hs < 64 ? j >> (q + hs) : 0;
  const Address beta = (j >> q) << (p - std::min(p, hs));
  return {verticalBank(i, alpha + beta) << q | harperBank(j, q, hs), (i >> p) * (columns >> q) + (j >> q), 0};
}

}  // namespace warpwright::parallel_memory
