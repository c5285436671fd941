// Kernels that mechanisms are told of by name, and that are never launched: who wrote the name has misspelt it, and would not see why
// nothing happens.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mechanisms/mechanism.hpp"

namespace warpwright::runtime {

class NamedKernels {
 public:
  void launched(const mechanisms::Mechanisms& mechanisms, const isa::Program& program, const isa::Function& kernel);
  // A sentence for each name of which no kernel was launched, with the nearest that was.
  std::vector<std::string> remarks() const;

 private:
  std::set<const isa::Program*> programs_;       // that were asked; whoever has the address of an old one has its names, or adds none
  std::set<std::string> launched_;               // as PTX has them
  std::map<std::string, std::string> mentions_;  // names, and by whom
};

}  // namespace warpwright::runtime
