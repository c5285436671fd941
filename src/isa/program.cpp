#include "isa/program.hpp"

#include <algorithm>

namespace warpwright::isa {

const Function* Program::findFunction(std::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

const Function* Program::functionAt(Pc pc) const {
  const auto holds = [&](const Function& f) { return f.begin <= pc && pc < f.end; };
  const auto found = std::find_if(functions.begin(), functions.end(), holds);
  return found == functions.end() ? nullptr : &*found;
}

}  // namespace warpwright::isa
