#include "runtime/code_units.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "fatbin/device_code.hpp"
#include "fatbin/select.hpp"
#include "ptx/parser.hpp"
#include "runtime/compile_options.hpp"

namespace warpwright::runtime {

std::vector<CodeUnit> codeUnits(const std::string& file, const config::Machine& machine) {
  const std::string bytes = readFile(file);
  const auto containers = fatbin::fileContainers(bytes, file);
  if (containers.empty())
    throw Error("'" + file + "' holds no device code", {}, "name a program that nvcc or warpwright-cc compiled, or a PTX file");
  const auto selections = fatbin::selectPtx(containers, machine.computeMajor * 10 + machine.computeMinor);
  std::vector<CodeUnit> units;
  for (const fatbin::Selection& selection : selections) {
    const std::string name = selections.size() == 1 ? file : fmt::format("{}[ptx {}]", file, units.size() + 1);
    units.push_back({name, {selection.entry->ptx(), selection.entry->registerBound()}});
  }
  return units;
}

ptx::Module parseUnit(const CodeUnit& unit) { return ptx::parse(unit.code.text, unit.name); }

compiler::Options optionsFor(const CodeUnit& unit, const config::Machine& machine, u32 maxRegisters) {
  return compileOptions(machine, maxRegisters, {registerBound(unit.code.text), unit.code.maxRegisters});
}

}  // namespace warpwright::runtime
