#include "runtime/added_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "ptx/link.hpp"
#include "ptx/parser.hpp"
#include "runtime/checked_compilation.hpp"
#include "runtime/compile_options.hpp"

namespace warpwright::runtime {
namespace {

void requireWidth(const ptx::Module& module, const std::string& unit, u32 addressBits) {
  if (module.addressBits == addressBits) return;
  throw Error(
      fmt::format("{}: code for {}-bit addresses, beside that of a program with {}-bit ones", unit, module.addressBits, addressBits), {},
      fmt::format("write it for these: .address_size {}", addressBits));
}

}  // namespace

std::vector<mechanisms::CodeUnit> addedCode(const mechanisms::Mechanisms& mechanisms, u32 addressBits) {
  std::vector<mechanisms::CodeUnit> result;
  for (const auto& mechanism : mechanisms) std::ranges::move(mechanism->code(addressBits), std::back_inserter(result));
  return result;
}

ptx::Module parseAdded(const mechanisms::CodeUnit& unit) {
  ptx::Module module = ptx::parse(unit.text, unit.name);
  const u32 file = module.files.empty() ? 1 : module.files.rbegin()->first + 1;
  module.files[file] = unit.name;
  for (ptx::Function& function : module.functions) {
    for (ptx::Instruction& instruction : function.body) {
      if (instruction.sourceLine != 0) continue;
      instruction.sourceFile = file;
      instruction.sourceLine = instruction.line;
    }
  }
  return module;
}

std::vector<mechanisms::CodeUnit> adapt(ptx::Module& module, const mechanisms::Mechanisms& mechanisms, u32 linesBefore) {
  std::vector<mechanisms::CodeUnit> made;
  for (const auto& mechanism : mechanisms) std::ranges::move(mechanism->codeFor(module, module.addressBits), std::back_inserter(made));
  if (made.empty()) return made;
  const std::string name = module.sourceName;
  std::vector<ptx::Unit> units{{std::move(module), 0}};
  for (const mechanisms::CodeUnit& unit : made) {
    units.push_back({parseAdded(unit), linesBefore});
    linesBefore += static_cast<u32>(std::ranges::count(unit.text, '\n')) + 1;
  }
  module = ptx::link(std::move(units), name);
  return made;
}

void checkAddedCode(const mechanisms::Mechanisms& mechanisms, const Settings& settings, Width width) {
  for (const auto& mechanism : mechanisms) {
    for (const mechanisms::CodeUnit& unit : mechanism->code(settings.addressBits)) {
      const ptx::Module module = ptx::parse(unit.text, unit.name);
      if (width == Width::ofProgram) requireWidth(module, unit.name, settings.addressBits);
      mechanism->check(compileChecked(module, compileOptions(settings), unit.text));
    }
  }
}

}  // namespace warpwright::runtime
