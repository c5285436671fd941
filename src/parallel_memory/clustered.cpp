#include <stdexcept>
#include <string>
#include <warpwright/parallel_memory/clustered.hpp>
#include <warpwright/parallel_memory/sams.hpp>

namespace warpwright::parallel_memory {
namespace {

constexpr std::uint32_t kHighest = 40;

Address low(Address address, std::uint32_t bits) { return address & ((Address{1} << bits) - 1); }

}  // namespace

Clustered::Clustered(Parameters parameters, Address words) : BankMap({1u << parameters.q, 1, words}), parameters_(parameters) {
  if (parameters.c > parameters.q)
    throw std::invalid_argument("clustered: 2^c clusters are more than the 2^q banks; c must not be above q");
  const std::uint32_t least = parameters.q - parameters.c;
  if (parameters.s < least || parameters.at < least || parameters.s > kHighest || parameters.at > kHighest)
    throw std::invalid_argument("clustered: s and at must be between q - c = " + std::to_string(least) + " and " +
                                std::to_string(kHighest));
}

Cell Clustered::cellOf(Address address) const {
  const auto [q, c, s, at] = parameters_;
  const std::uint32_t within = q - c;
  const auto cluster = static_cast<std::uint32_t>(low(address >> at, c));
  // The bits that choose neither bank nor cluster.
  const Address row = address >> (at + c) << (at - within) | low(address >> within, at - within);
  return {cluster << within | harperBank(address, within, s), row, 0};
}

}  // namespace warpwright::parallel_memory
