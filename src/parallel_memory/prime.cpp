#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/prime.hpp>

namespace warpwright::parallel_memory {

PrimeByRemainders::PrimeByRemainders(std::uint32_t banks, std::uint32_t m)
    : BankMap({banks, 1, Address{banks} << m}), rows_(Address{1} << m) {
  if (banks % 2 == 0)
    throw std::invalid_argument("Chinese remainders: " + std::to_string(banks) +
                                " banks and a power of two of rows have a divisor in common; the number of banks must be odd");
}

bool isPrime(std::uint32_t number) {
  if (number < 2) return false;
  for (std::uint32_t divisor = 2; divisor <= number / divisor; ++divisor)
    if (number % divisor == 0) return false;
  return true;
}

std::uint32_t primeFrom(std::uint32_t number) {
  while (!isPrime(number)) ++number;
  return number;
}

}  // namespace warpwright::parallel_memory
