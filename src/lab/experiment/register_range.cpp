#include "lab/experiment/register_range.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "compiler/register_report.hpp"
#include "lab/experiment/experiment.hpp"
#include "runtime/code_units.hpp"
#include "runtime/environment.hpp"

namespace warpwright::lab {
namespace {

std::vector<compiler::KernelRegisters> kernelsOf(const std::string& program, const config::Machine& machine,
                                                 const std::string& spillFirst) {
  std::vector<compiler::KernelRegisters> all;
  for (const runtime::CodeUnit& unit : runtime::codeUnits(program, machine)) {
    compiler::Options options = runtime::optionsFor(unit, machine, isa::kMaxRegisters);
    options.spillPolicy = runtime::parseSpillPolicy(spillFirst);
    for (compiler::KernelRegisters& kernel : compiler::reportRegisters(runtime::parseUnit(unit), options)) all.push_back(std::move(kernel));
  }
  return all;
}

bool isAmong(const std::vector<std::string>& kernels, const std::string& linkName) {
  const std::string name = nameIn(demangled(linkName));
  return kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& each) { return isCalled(each, name); });
}

}  // namespace

std::vector<u32> baseToMinimum(const std::string& program, const std::vector<std::string>& kernels, const config::Machine& machine,
                               const std::string& spillFirst) {
  u32 base = 0, minimum = 0;
  for (const compiler::KernelRegisters& kernel : kernelsOf(program, machine, spillFirst)) {
    minimum = std::max(minimum, kernel.minimum);
    if (isAmong(kernels, kernel.name)) base = std::max(base, kernel.base == 0 ? kernel.standard : kernel.base);
  }
  if (base == 0)
    throw Error(fmt::format("'{}' has no kernel whose registers could be counted", program), {}, "name its kernels as in its source");
  std::vector<u32> numbers;
  for (u32 number = std::max(base, minimum); number >= minimum && number > 0; --number) numbers.push_back(number);
  return numbers;
}

}  // namespace warpwright::lab
