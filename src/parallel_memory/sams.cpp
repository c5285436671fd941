#include <algorithm>
#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/sams.hpp>

namespace warpwright::parallel_memory {
namespace {

constexpr Address lowBits(std::uint32_t count) { return (Address{1} << count) - 1; }

}  // namespace

std::uint32_t harperBank(Address address, std::uint32_t banks, std::uint32_t stride) {
  const std::uint32_t distance = std::max(banks, stride);
  const Address above = distance < 64 ? address >> distance : 0;
  return static_cast<std::uint32_t>((address & lowBits(banks)) ^ (above & lowBits(std::min(banks, stride))));
}

Sams::Sams(std::uint32_t q, std::uint32_t s, std::uint32_t n) : BankMap({1u << q, 2, Address{1} << n}), q_(q), s_(s), n_(n) {
  if (n <= q)
    throw std::invalid_argument("SAMS: 2^" + std::to_string(n) + " words do not fill a line of two words in each of 2^" +
                                std::to_string(q) + " banks; n must be above q");
}

// Equation 3.1.
std::uint32_t Sams::bankOf(Address address) const {
  if (s_ == 0) return static_cast<std::uint32_t>(address & lowBits(q_));
  if (s_ > q_) return harperBank(address, q_, s_);
  const Address group = (address >> s_) & lowBits(q_ - s_ + 1);
  return static_cast<std::uint32_t>(group << (s_ - 1)) | harperBank(address, s_ - 1, q_ + 1);
}

// Equations 3.2 and 3.3.
Cell Sams::cellOf(Address address) const {
  const std::uint32_t bank = bankOf(address);
  const auto bit = [&](std::uint32_t number) { return static_cast<std::uint32_t>(address >> number & 1); };
  if (s_ > q_) return {bank, (((address >> q_) + 1) & lowBits(n_ - q_)) / 2, 1 - bit(q_)};
  return {bank, address >> (q_ + 1), bit(s_ == 0 ? q_ : s_ - 1)};
}

}  // namespace warpwright::parallel_memory
