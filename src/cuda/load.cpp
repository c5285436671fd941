#include "load.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "call.hpp"

namespace warpwright::cuda {

std::vector<runtime::PtxUnit> bounded(std::vector<runtime::PtxUnit> units, u32 maxRegisters) {
  if (maxRegisters == 0) return units;
  for (runtime::PtxUnit& unit : units) unit.maxRegisters = std::min(maxRegisters, unit.maxRegisters.value_or(maxRegisters));
  return units;
}

u32 smVersionOf(Driver& driver) {
  const config::Machine& machine = driver.access.machine();
  return machine.computeMajor * 10 + machine.computeMinor;
}

CUresult loadImage(Driver& driver, const Image& image, const JitOptions& options, CUcontext context, CUmodule* module) {
  if (!module || !options.valid()) return CUDA_ERROR_INVALID_VALUE;
  CUresult status = image.status;
  std::string message = image.message;
  if (status == CUDA_SUCCESS) {
    const auto loaded = driver.access.loadModule(bounded(image.units, options.maxRegisters()), "module");
    status = resultOf(loaded.status);
    message = loaded.message;
    if (loaded.module) *module = driver.add(*loaded.module, context);
  }
  options.report(message);
  if (status != CUDA_SUCCESS && !message.empty()) driver.access.explain(message);
  return status;
}

std::optional<Variable> findVariable(const CUmod_st& module, std::string_view name) {
  const exec::LoadedProgram& loaded = *module.unit->loaded;
  for (std::size_t i = 0; i < loaded.program.variables.size(); ++i) {
    const isa::Variable& variable = loaded.program.variables[i];
    if (variable.name == name) return Variable{loaded.variableAddresses[i], variable.size, variable.managed};
  }
  return std::nullopt;
}

std::optional<std::string> fileBytes(const char* name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace warpwright::cuda
