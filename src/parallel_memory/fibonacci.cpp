#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/fibonacci.hpp>

namespace warpwright::parallel_memory {
namespace {

struct Neighbours {
  std::uint32_t before = 1, number = 1;  // F_1 and F_2
};

Neighbours neighboursFrom(std::uint32_t number) {
  Neighbours last;
  while (last.number < number) last = {last.number, last.before + last.number};
  return last;
}

}  // namespace

FibonacciLattice::FibonacciLattice(std::uint32_t banks, Address words, Address columns)
    : BankMap({banks, 1, words}), lambda_(neighboursFrom(banks).before), columns_(columns == 0 ? banks : columns) {
  const std::uint32_t next = fibonacciFrom(banks);
  if (next != banks)
    throw std::invalid_argument("Fibonacci lattice: " + std::to_string(banks) + " banks are no Fibonacci number; the next is " +
                                std::to_string(next));
  rowsOfBanks_ = (columns_ + banks - 1) / banks;
}

Cell FibonacciLattice::cellOf(Address address) const {
  const Address i = address / columns_, j = address % columns_;
  return {static_cast<std::uint32_t>((lambda_ * i + j) % banks()), i * rowsOfBanks_ + j / banks(), 0};
}

std::uint32_t fibonacciFrom(std::uint32_t number) { return neighboursFrom(number).number; }

}  // namespace warpwright::parallel_memory
