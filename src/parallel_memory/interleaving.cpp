#include <numeric>
#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/interleaving.hpp>

namespace warpwright::parallel_memory {

LinearSkewing::LinearSkewing(std::uint32_t banks, Address words, Parameters parameters)
    : BankMap({banks, 1, words}), parameters_(parameters) {
  if (std::gcd(parameters.lambda2, banks) != 1)
    throw std::invalid_argument("linear skewing: lambda2 = " + std::to_string(parameters.lambda2) + " shares a divisor with the " +
                                std::to_string(banks) + " banks, so that two words of a row would share a cell; choose an odd one");
  if (parameters_.columns == 0) parameters_.columns = banks;
  rowsOfBanks_ = (parameters_.columns + banks - 1) / banks;
}

Cell LinearSkewing::cellOf(Address address) const {
  const Address i = address / parameters_.columns, j = address % parameters_.columns;
  return {static_cast<std::uint32_t>((parameters_.lambda1 * i + parameters_.lambda2 * j) % banks()), i * rowsOfBanks_ + j / banks(), 0};
}

}  // namespace warpwright::parallel_memory
