// All schemes by name, for commands and configuration files.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <warpwright/parallel_memory/bank_map.hpp>
#include <warpwright/parallel_memory/hardware_cost.hpp>

namespace warpwright::parallel_memory {

// What a scheme is to be made for.
struct Memory {
  std::uint32_t q = 5;   // logarithm of the banks that a scheme with a power of two of them has
  std::uint32_t n = 12;  // logarithm of the words
};

using Values = std::map<std::string, std::uint64_t, std::less<>>;

struct Parameter {
  std::string_view name, text;
};

struct Scheme {
  std::string_view name, text;
  std::vector<Parameter> parameters;  // beside q and n, which all have
  std::function<std::unique_ptr<BankMap>(const Memory&, const Values&)> make;
};

std::span<const Scheme> schemes();

// "sams", "sams:s=2", "linear:lambda1=3,columns=64", "matrix:0x21,0x42", "table:FILE". q and n in the text go before those of `memory`.
// Throws std::invalid_argument that says what is wrong and what there is.
std::unique_ptr<BankMap> makeBankMap(const std::string& text, Memory memory);

// What the logic of such a map takes, where the thesis has formulas for it: SAMS and 2DSMM.
std::vector<HardwarePart> hardwareCostOf(const BankMap& map);

}  // namespace warpwright::parallel_memory
