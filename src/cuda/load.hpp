// From an image to a module on the device.
#pragma once

#include <string>

#include "image.hpp"
#include "jit.hpp"
#include "state.hpp"

namespace warpwright::cuda {

u32 smVersionOf(Driver& driver);

// With the option's bound (0: none) beside what the units bring along.
std::vector<runtime::PtxUnit> bounded(std::vector<runtime::PtxUnit> units, u32 maxRegisters);

// The module's handle; what goes wrong is in the error log of the options and on stderr.
CUresult loadImage(Driver& driver, const Image& image, const JitOptions& options, CUcontext context, CUmodule* module);

// Null when the module has no variable of that name in global or constant memory.
struct Variable {
  CUdeviceptr address = 0;
  u64 bytes = 0;
  bool managed = false;
};
std::optional<Variable> findVariable(const CUmod_st& module, std::string_view name);

// A file's bytes; nullopt when it cannot be read.
std::optional<std::string> fileBytes(const char* name);

}  // namespace warpwright::cuda
