// Pieces of logic that several designs have.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::rtl {

// The exclusive-or of those bits of the signal, which has more than one; of none 1'b0.
std::string xorOf(std::string_view signal, u64 mask);

// A multiplexer: `to` is values[selector]; selectors beyond them choose the last value. What most select becomes the default.
std::string choice(std::string_view to, std::string_view selector, u32 selectorBits, const std::vector<std::string>& values);

// A function of a signal that is linear over GF(2) for each value of a selector: output bit b is the parity of the signal and
// masks[selector][b]. The masks are asked of `function`, by unit vectors. Each bit of `to` is one multiplexer behind exclusive-or gates.
struct Linear {
  std::string_view to, from, selector;
  u32 toBits = 1, fromBits = 1, selectorBits = 1;
};
std::string linear(const Linear& shape, const std::function<u64(u64 selector, u64 value)>& function);

// `to`, of bitsFor(count) bits, is the number of the lowest bit that is set in a signal of `count` bits; 0 if there is none.
std::string lowestSet(std::string_view to, std::string_view signal, u32 count);

}  // namespace warpwright::rtl
