#include "runtime/kernel_lookup.hpp"

#include <algorithm>
#include <vector>

#include "base/demangle.hpp"
#include "base/error.hpp"

namespace warpwright::runtime {
namespace {

bool matches(const isa::Function& function, const std::string& name) {
  if (function.name == name) return true;
  const std::string full = demangled(function.name);
  const std::string bare = nameIn(full);
  return full == name || bare == name || bare.substr(0, bare.find('<')) == name;
}

std::string listOf(const std::vector<const isa::Function*>& kernels) {
  std::string text;
  for (const isa::Function* kernel : kernels) text += "\n    " + kernel->name + "  " + demangled(kernel->name);
  return text;
}

}  // namespace

bool hasKernel(const isa::Program& program, const std::string& name) {
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [&](const isa::Function& function) { return function.isKernel && (name.empty() || matches(function, name)); });
}

const isa::Function& findKernel(const isa::Program& program, const std::string& name) {
  std::vector<const isa::Function*> kernels, found;
  for (const isa::Function& function : program.functions) {
    if (!function.isKernel) continue;
    kernels.push_back(&function);
    if (name.empty() || matches(function, name)) found.push_back(&function);
  }
  if (found.size() == 1) return *found.front();
  if (kernels.empty()) throw Error(program.sourceName + ": there is no kernel in it");
  if (name.empty()) throw Error(program.sourceName + ": several kernels", {}, "name one (--kernel of the command):" + listOf(kernels));
  if (found.empty()) throw Error(program.sourceName + ": there is no kernel '" + name + "'", {}, "the kernels are:" + listOf(kernels));
  throw Error(program.sourceName + ": '" + name + "' may be several kernels", {}, "give the whole name:" + listOf(found));
}

}  // namespace warpwright::runtime
