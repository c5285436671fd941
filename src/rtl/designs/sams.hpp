// SAMS, rows of two words.
#pragma once

#include "rtl/designs/memories.hpp"

namespace warpwright::rtl {

// One lane: bank, row and offset of an address, for a stride family that may change at run time.
Module samsAtu(const WideMemory& memory);
// Of the port `s`: families 0 to n - q, and what its bits can say beyond.
u32 samsFamilyBits(const WideMemory& memory);

// Equations 3.1 to 3.3, Markdown.
std::string samsEquations();

}  // namespace warpwright::rtl
