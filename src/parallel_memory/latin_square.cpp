#include <cmath>
#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/latin_square.hpp>

namespace warpwright::parallel_memory {

PerfectLatinSquare::PerfectLatinSquare(std::uint32_t banks, Address words, Address columns)
    : BankMap({banks, 1, words}),
      root_(static_cast<std::uint32_t>(std::lround(std::sqrt(banks)))),
      columns_(columns == 0 ? banks : columns) {
  if (root_ * root_ != banks)
    throw std::invalid_argument("there is no perfect Latin square of order " + std::to_string(banks) +
                                ", which is no square number; take 4, 9, 16, 25, ... banks");
  if (columns_ % banks != 0)
    throw std::invalid_argument("perfect Latin square: " + std::to_string(columns_) + " columns are no multiple of the " +
                                std::to_string(banks) + " banks");
}

Cell PerfectLatinSquare::cellOf(Address address) const {
  const Address i = address / columns_, j = address % columns_;
  const auto digit = [&](Address coordinate, bool high) {
    const auto within = static_cast<std::uint32_t>(coordinate % banks());
    return high ? within / root_ : within % root_;
  };
  const std::uint32_t first = (digit(i, true) + digit(i, false) + digit(j, true)) % root_;
  const std::uint32_t second = (digit(i, true) + digit(j, false)) % root_;
  return {first * root_ + second, i * (columns_ / banks()) + j / banks(), 0};
}

}  // namespace warpwright::parallel_memory
