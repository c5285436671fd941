// What the logic of SAMS and of 2DSMM takes, from the formulas of Gou's thesis (sections 3.4 and 4.4.1).
#pragma once

#include <string>
#include <vector>
#include <warpwright/parallel_memory/two_dsmm.hpp>

namespace warpwright::parallel_memory {

struct HardwarePart {
  std::string name;  // "row: bits of the adder"
  std::uint64_t size = 0;
};

// 2^q lanes and banks, 2^n words in lines of two; s may change at run time (section 3.4.1). Both switches are twice as large as those of a
// memory with lines of one word (section 4.4.1).
std::vector<HardwarePart> samsCost(std::uint32_t q, std::uint32_t n);

// 2^(p+q) lanes and banks; vs and hs may change at run time (tables 3.2 and 3.3).
std::vector<HardwarePart> twoDsmmCost(const TwoDsmm::Size& size);

}  // namespace warpwright::parallel_memory
