#include "config/bank_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <warpwright/parallel_memory/schemes.hpp>

namespace warpwright::config {

namespace {

u32 bankBits(const Machine& machine) { return static_cast<u32>(std::bit_width(machine.sharedBanks)) - 1; }

// A line of two words in every bank at least.
u32 addressBits(const Machine& machine) {
  return std::max<u32>(bankBits(machine) + 1, static_cast<u32>(std::bit_width(std::max<u64>(sharedWords(machine), 1) - 1)));
}

// Harper's scheme for a stride family s > q in lines of two words, those 2^q apart. SAMS would shift its rows by half a line, so that no
// unit stride conflicts; here those do that cross a multiple of 2^s.
std::string wideHarper(u32 q, u32 s, u32 n) {
  std::string text = "matrix:";
  for (u32 bit = 0; bit < q; ++bit) {
    const u64 above = bit + s < n ? u64{1} << (bit + s) : 0;
    text += fmt::format("{}{:#x}", bit == 0 ? "" : ",", u64{1} << bit | above);
  }
  return text + fmt::format("/{:#x}", u64{1} << q);
}

}  // namespace

bool choosesBankMaps(const Machine& machine) { return machine.sm.bankMap == "per_array" || machine.sm.bankMap == "per_array:harper"; }

bool namesBankMaps(const Machine& machine) { return machine.sm.bankMap == "per_access"; }

std::vector<std::string> bankMapChoices(const Machine& machine) {
  const bool narrow = machine.sm.bankMap == "per_array:harper";
  const u32 q = bankBits(machine), n = addressBits(machine);
  std::vector<std::string> choices;
  for (u32 s = 0; s <= q; ++s) choices.push_back(fmt::format("{}:s={}", narrow ? "harper" : "sams", s));
  for (u32 s = q + 1; s <= 2 * q && s < n; ++s) choices.push_back(narrow ? fmt::format("harper:s={}", s) : wideHarper(q, s, n));
  if (!narrow) choices.emplace_back("nas");
  return choices;
}

u64 sharedWords(const Machine& machine) {
  return (machine.sharedBytesPerBlockOptin + machine.sharedBankBytes - 1) / machine.sharedBankBytes;
}

std::unique_ptr<parallel_memory::BankMap> sharedBankMap(const Machine& machine, const std::string& text) {
  const u64 words = sharedWords(machine);
  auto map = parallel_memory::makeBankMap(text, {bankBits(machine), addressBits(machine)});
  if (map->banks() < machine.sharedBanks)
    throw std::invalid_argument(fmt::format("'{}' has {} banks, and shared memory {}", text, map->banks(), machine.sharedBanks));
  if (map->words() < words)
    throw std::invalid_argument(fmt::format("'{}' has {} words, and a block's shared memory {}", text, map->words(), words));
  return map;
}

}  // namespace warpwright::config
