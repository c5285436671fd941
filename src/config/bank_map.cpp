#include "config/bank_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <warpwright/parallel_memory/schemes.hpp>

namespace warpwright::config {

namespace {

u32 bankBits(const Machine& machine) { return static_cast<u32>(std::bit_width(machine.sharedBanks)) - 1; }

}  // namespace

bool choosesBankMaps(const Machine& machine) { return machine.sm.bankMap == "per_array" || machine.sm.bankMap == "per_array:harper"; }

std::vector<std::string> bankMapChoices(const Machine& machine) {
  const bool narrow = machine.sm.bankMap == "per_array:harper";
  std::vector<std::string> choices;
  // Above q, the rows of SAMS are shifted by half a line.
  for (u32 s = 0; s <= bankBits(machine); ++s) choices.push_back(fmt::format("{}:s={}", narrow ? "harper" : "sams", s));
  if (!narrow) choices.emplace_back("nas");
  return choices;
}

u64 sharedWords(const Machine& machine) {
  return (machine.sharedBytesPerBlockOptin + machine.sharedBankBytes - 1) / machine.sharedBankBytes;
}

std::unique_ptr<parallel_memory::BankMap> sharedBankMap(const Machine& machine, const std::string& text) {
  const u64 words = sharedWords(machine);
  const u32 q = bankBits(machine);
  // A line of two words in every bank at least.
  const u32 n = std::max<u32>(q + 1, static_cast<u32>(std::bit_width(std::max<u64>(words, 1) - 1)));
  auto map = parallel_memory::makeBankMap(text, {q, n});
  if (map->words() < words)
    throw std::invalid_argument(fmt::format("'{}' has {} words, and a block's shared memory {}", text, map->words(), words));
  return map;
}

}  // namespace warpwright::config
