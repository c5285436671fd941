#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/software.hpp>

namespace warpwright::parallel_memory {
namespace {

Cell interleaved(Address place, std::uint32_t banks) { return {static_cast<std::uint32_t>(place % banks), place / banks, 0}; }

}  // namespace

Swizzle::Swizzle(std::uint32_t banks, Address words, Parameters parameters) : BankMap({banks, 1, words}), parameters_(parameters) {
  if (parameters.bits > parameters.shift)
    throw std::invalid_argument("swizzle: " + std::to_string(parameters.bits) + " bits from only " + std::to_string(parameters.shift) +
                                " above would change the bits they come from; bits must not be above shift");
  if (Address{parameters.base} + parameters.shift + parameters.bits > 63) throw std::invalid_argument("swizzle: bits beyond 63");
}

Cell Swizzle::cellOf(Address address) const {
  const auto [bits, base, shift] = parameters_;
  const Address from = address >> (base + shift) & ((Address{1} << bits) - 1);
  return interleaved(address ^ from << base, banks());
}

Padding::Padding(std::uint32_t banks, Address words, Address columns, Address pad)
    : BankMap({banks, 1, words}), columns_(columns), pad_(pad) {
  if (columns == 0) throw std::invalid_argument("padding: there must be columns to pad");
}

Cell Padding::cellOf(Address address) const { return interleaved(address + address / columns_ * pad_, banks()); }

}  // namespace warpwright::parallel_memory
