// The arguments of a launch as a buffer, which both APIs take through a list called `extra`: pairs of a name and a value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/arguments.hpp"

namespace warpwright::cudart {

// The names, as CUDA fixes them (CU_LAUNCH_PARAM_*).
enum class LaunchParameter : std::uintptr_t { end = 0, bufferPointer = 1, bufferSize = 2 };

inline LaunchParameter parameterAt(void* const* extra) { return static_cast<LaunchParameter>(reinterpret_cast<std::uintptr_t>(*extra)); }

struct LaunchBuffer {
  const void* start = nullptr;
  u64 size = 0;
};

// A name that there is not ends the list: there is then no buffer.
inline LaunchBuffer bufferOf(void* const* extra) {
  LaunchBuffer buffer;
  for (;; extra += 2) {
    const LaunchParameter name = parameterAt(extra);
    if (name == LaunchParameter::end) return buffer;
    if (name == LaunchParameter::bufferPointer) {
      buffer.start = extra[1];
    } else if (name == LaunchParameter::bufferSize) {
      buffer.size = extra[1] ? *static_cast<const size_t*>(extra[1]) : 0;
    } else {
      return {};
    }
  }
}

// The kernel's parameters from pointers to them or, where `extra` is given, from a buffer.
inline runtime::ParameterBlock parameterBlock(const isa::Function& kernel, void* const* pointers, void* const* extra) {
  if (!extra) return runtime::gatherArguments(kernel, pointers);
  if (pointers) return {{}, "a launch passes its arguments in an array and in a buffer\n  remedy: pass null for kernelParams or for extra"};
  const LaunchBuffer buffer = bufferOf(extra);
  return runtime::copyArguments(kernel, buffer.start, buffer.size);
}

}  // namespace warpwright::cudart
