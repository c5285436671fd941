// What a kernel needs in registers, and what it costs to give it fewer.
#pragma once

#include <string>
#include <vector>

#include "compiler/compiler.hpp"

namespace warpwright::compiler {

// One budget. What a kernel may call counts with it.
struct RegisterPoint {
  u32 limit = 0;
  u32 spillSlots = 0;         // words of local memory
  u32 loads = 0, stores = 0;  // spill instructions in the code

  bool spills() const { return loads + stores > 0; }
};

struct KernelRegisters {
  std::string name;
  u32 standard = 0;                   // registers when nothing but the options bounds them
  u32 base = 0;                       // the least number without spills (r_base of Collange and Kouyoumdjian, 2011, section 3.1)
  u32 minimum = 0;                    // the least number with which it can be compiled
  std::vector<RegisterPoint> points;  // every number from `standard` down to `minimum`
};

// Every kernel of the module, in its order. Throws Error as compile() does.
std::vector<KernelRegisters> reportRegisters(const ptx::Module& module, const Options& options = {});

}  // namespace warpwright::compiler
