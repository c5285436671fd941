#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "exec/decode.hpp"
#include "exec/launch.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

using isa::SymbolAddress;

class Loader {
 public:
  Loader(LoadedProgram& loaded, GlobalMemory& memory, const std::function<std::optional<u64>(const std::string&)>& resolveExternal)
      : loaded_(loaded), program_(loaded.program), memory_(memory), resolveExternal_(resolveExternal) {}

  // Variables are placed: only the code remains.
  void relocateAll() {
    for (const isa::CodeRelocation& relocation : program_.relocations) relocate(relocation);
  }

  void run() {
    placeConstants();
    for (const isa::Variable& variable : program_.variables) loaded_.variableAddresses.push_back(place(variable));
    for (std::size_t i = 0; i < program_.variables.size(); ++i) initialise(program_.variables[i], loaded_.variableAddresses[i]);
    relocateAll();
  }

 private:
  GlobalAddress reserve(u64 bytes, AllocationKind kind, const std::string& label, u64 alignment) {
    if (const auto address = memory_.allocate(bytes, kind, label, alignment)) return *address;
    throw Error(
        fmt::format("out of device memory: '{}' needs {} bytes, {} of {} are in use", label, bytes, memory_.used(), memory_.capacity()),
        {program_.sourceName}, "free memory before the module is loaded, or choose a machine with more memory");
  }

  void placeConstants() {
    if (program_.constantBytes == 0) return;
    loaded_.constantBase = reserve(program_.constantBytes, AllocationKind::variable, "constant memory", 256);
    std::memset(GlobalMemory::hostPointer(loaded_.constantBase), 0, program_.constantBytes);
    memory_.markInitialised(loaded_.constantBase, program_.constantBytes);
  }

  GlobalAddress place(const isa::Variable& variable) {
    if (variable.external) return resolve(variable);
    if (variable.space == isa::Space::constant) return loaded_.constantBase + variable.constantOffset;
    const AllocationKind kind = variable.managed ? AllocationKind::managed : AllocationKind::variable;
    return reserve(variable.size, kind, variable.name, variable.alignment);
  }

  GlobalAddress resolve(const isa::Variable& variable) {
    if (variable.space == isa::Space::constant) {
      throw Error(fmt::format("constant variable '{}' is declared extern; constants cannot be shared between modules", variable.name),
                  {program_.sourceName}, "define it in this module, or keep it in global memory");
    }
    const auto address = resolveExternal_ ? resolveExternal_(variable.name) : std::nullopt;
    if (address) return GlobalAddress(*address);
    throw Error(fmt::format("undefined variable '{}'", variable.name), {program_.sourceName},
                "load the module that defines it first, or define it here");
  }

  void initialise(const isa::Variable& variable, GlobalAddress address) {
    if (variable.external) return;
    std::byte* bytes = GlobalMemory::hostPointer(address);
    const u64 given = std::min<u64>(variable.image.size(), variable.size);
    if (given) std::memcpy(bytes, variable.image.data(), given);
    std::memset(bytes + given, 0, variable.size - given);
    for (const isa::DataRelocation& relocation : variable.relocations) {
      if (relocation.width > 8 || relocation.offset > variable.size || relocation.width > variable.size - relocation.offset) {
        throw Error(fmt::format("the initialiser of '{}' reaches past its end", variable.name), {program_.sourceName});
      }
      const u64 value = addressOf(relocation.symbol) >> relocation.shift;
      std::memcpy(bytes + relocation.offset, &value, relocation.width);  // little-endian host
    }
    memory_.markInitialised(address, variable.size);
  }

  u64 addressOf(const SymbolAddress& symbol) const {
    const u64 addend = static_cast<u64>(symbol.addend);
    if (symbol.kind == SymbolAddress::Kind::function) {
      return isa::kCodeWindow + u64{program_.functions.at(symbol.index).begin} * isa::kInstructionBytes + addend;
    }
    const isa::Variable& variable = program_.variables.at(symbol.index);
    if (variable.space != isa::Space::constant) return loaded_.variableAddresses.at(symbol.index) + addend;
    return variable.constantOffset + addend + (symbol.generic ? isa::kConstantWindow : 0);
  }

  void relocate(const isa::CodeRelocation& relocation) {
    isa::Instruction& instruction = program_.code.at(relocation.instruction);
    const u64 address = addressOf(relocation.symbol);
    if (relocation.operand == isa::CodeRelocation::kOffsetOperand) {
      instruction.offset = static_cast<s64>(address);
      return;
    }
    instruction.sources.at(relocation.operand).value = address;
  }

  LoadedProgram& loaded_;
  isa::Program& program_;
  GlobalMemory& memory_;
  const std::function<std::optional<u64>(const std::string&)>& resolveExternal_;
};

}  // namespace

std::unique_ptr<LoadedProgram> load(isa::Program program, GlobalMemory& memory,
                                    const std::function<std::optional<u64>(const std::string&)>& resolveExternal) {
  auto loaded = std::make_unique<LoadedProgram>();
  loaded->kernels = std::make_shared<KernelCache>();
  loaded->program = std::move(program);
  loaded->number = memory.numberProgram();
  try {
    Loader(*loaded, memory, resolveExternal).run();
  } catch (...) {
    unload(*loaded, memory);
    throw;
  }
  return loaded;
}

std::unique_ptr<LoadedProgram> load(isa::Program program, const ProgramAddresses& addresses, GlobalMemory& memory) {
  if (addresses.variableAddresses.size() != program.variables.size())
    throw Error(fmt::format("{}: {} variables where there were {}", program.sourceName, program.variables.size(),
                            addresses.variableAddresses.size()),
                {}, "record the run anew");
  auto loaded = std::make_unique<LoadedProgram>(LoadedProgram{std::move(program), addresses.variableAddresses, addresses.constantBase,
                                                              addresses.number, std::make_shared<KernelCache>()});
  Loader(*loaded, memory, {}).relocateAll();
  return loaded;
}

void unload(const LoadedProgram& program, GlobalMemory& memory) {
  if (program.constantBase) memory.free(program.constantBase);
  for (std::size_t i = 0; i < program.variableAddresses.size(); ++i) {
    const isa::Variable& variable = program.program.variables[i];
    if (!variable.external && variable.space != isa::Space::constant) memory.free(program.variableAddresses[i]);
  }
}

}  // namespace warpwright::exec
