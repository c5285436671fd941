// Code of a Simulator: what is loaded, its kernels and variables.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cc/driver/commands.hpp"
#include "cc/driver/text_compilation.hpp"
#include "embed/state.hpp"
#include "ptx/parser.hpp"
#include "runtime/kernel_lookup.hpp"

namespace warpwright {
namespace {

// Machine code knows sizes alone, so that the types are asked of the PTX.
std::vector<bool> floatParameters(const runtime::Module& module, const std::string& kernel) {
  std::vector<bool> result;
  for (const runtime::PtxUnit& unit : module.units) {
    const ptx::Module parsed = ptx::parse(unit.text, "");
    for (const ptx::Function& function : parsed.functions) {
      if (function.name != kernel || function.body.empty()) continue;
      for (const ptx::Variable& parameter : function.parameters) result.push_back(!parameter.isArray && ptx::isFloat(parameter.type));
      return result;
    }
  }
  return result;
}

bool named(const isa::Variable& variable, const std::string& name) {
  return variable.name == name || nameIn(demangled(variable.name)) == name;
}

}  // namespace

FoundKernel Simulator::State::find(const std::string& kernel) const {
  if (modules.empty()) throw Error("no code is loaded", {}, "load() takes PTX, loadCuda() CUDA C++");
  const auto found =
      std::ranges::find_if(modules, [&](const runtime::Module* module) { return runtime::hasKernel(module->loaded->program, kernel); });
  const runtime::Module* module = found == modules.end() ? modules.back() : *found;
  return {module, &runtime::findKernel(module->loaded->program, kernel)};
}

void Simulator::load(const std::string& ptx, const std::string& name) { state_->modules.push_back(&state_->device.loadModule(ptx, name)); }

CompiledCuda compileCuda(const CudaSource& source) {
  std::vector<std::string> words{"--ptx"};
  std::ranges::copy(source.options, std::back_inserter(words));
  const cc::Options options = cc::parseOptions(words);
  if (!options.inputs.empty())
    throw Error(fmt::format("'{}' is no option of warpwright-cc", options.inputs.front()), {}, "give the text of the source, and options");
  cc::CompiledText compiled =
      cc::compileText({source.text, source.name, {}}, options, cc::driverNear(reinterpret_cast<const void*>(&named)));
  if (!compiled.succeeded) throw Error(fmt::format("{} does not compile:\n{}", source.name, compiled.log));
  return {cc::ptxPreamble(options, source.name) + compiled.ptx, std::move(compiled.log)};
}

std::string Simulator::loadCuda(const CudaSource& source) {
  CudaSource own = source;
  if (state_->device.settings().addressBits == 32) own.options.emplace_back("-m32");
  CompiledCuda compiled = compileCuda(own);
  load(compiled.ptx, source.name);
  return std::move(compiled.remarks);
}

std::vector<std::string> Simulator::kernels() const {
  std::vector<std::string> names;
  for (const runtime::Module* module : state_->modules)
    for (const isa::Function& function : module->loaded->program.functions)
      if (function.isKernel) names.push_back(function.name);
  return names;
}

KernelInfo Simulator::kernel(const std::string& name) const {
  const FoundKernel found = state_->find(name);
  const isa::Function& function = *found.function;
  KernelInfo info{function.name, demangled(function.name), function.registers, function.sharedBytes, function.localBytes, {}};
  const std::vector<bool> floats = floatParameters(*found.module, function.name);
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    info.parameters.push_back({function.parameters[i].name, function.parameters[i].size, i < floats.size() && floats[i]});
  return info;
}

Symbol Simulator::symbol(const std::string& name) const {
  std::vector<std::string> known;
  for (const runtime::Module* module : state_->modules) {
    const exec::LoadedProgram& loaded = *module->loaded;
    for (std::size_t i = 0; i < loaded.program.variables.size(); ++i) {
      const isa::Variable& variable = loaded.program.variables[i];
      if (named(variable, name)) return {loaded.variableAddresses[i], variable.size};
      known.push_back(nameIn(demangled(variable.name)));
    }
  }
  const std::string nearest = nearestName(name, known);
  throw Error(fmt::format("there is no variable '{}'", name), {},
              nearest.empty() ? "a __device__ or __constant__ variable that no kernel uses may be left out by the compiler"
                              : fmt::format("did you mean '{}'?", nearest));
}

}  // namespace warpwright
