#include "runtime/arguments.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/demangle.hpp"

namespace warpwright::runtime {
namespace {

constexpr const char* kArray =
    "the array holds the address of a value for each parameter, of pointers too: void* arguments[] = {&pointer, &count}";
constexpr const char* kBuffer =
    "the buffer holds the parameters in their order, each aligned to its size, and its size in bytes counts them all";

std::string problemOf(const isa::Function& kernel, const std::string& what, const char* remedy) {
  return fmt::format("kernel '{}' takes {} argument{}: {}\n  remedy: {}", demangled(kernel.name), kernel.parameters.size(),
                     kernel.parameters.size() == 1 ? "" : "s", what, remedy);
}

}  // namespace

ParameterBlock gatherArguments(const isa::Function& kernel, void* const* arguments) {
  if (!arguments && !kernel.parameters.empty()) return {{}, problemOf(kernel, "the launch passes none", kArray)};
  ParameterBlock block{std::vector<u8>(kernel.parameterBytes), {}};
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (!arguments[i]) return {{}, problemOf(kernel, fmt::format("number {} in the launch's array is a null pointer", i + 1), kArray)};
    std::memcpy(block.bytes.data() + kernel.parameters[i].offset, arguments[i], kernel.parameters[i].size);
  }
  return block;
}

ParameterBlock copyArguments(const isa::Function& kernel, const void* buffer, u64 size) {
  if (size < kernel.parameterBytes) {
    return {{}, problemOf(kernel, fmt::format("the launch's buffer has {} bytes, and they need {}", size, kernel.parameterBytes), kBuffer)};
  }
  if (!buffer && kernel.parameterBytes > 0) return {{}, problemOf(kernel, "the launch's buffer is a null pointer", kBuffer)};
  const auto* const bytes = static_cast<const u8*>(buffer);
  return {std::vector<u8>(bytes, bytes + kernel.parameterBytes), {}};
}

}  // namespace warpwright::runtime
