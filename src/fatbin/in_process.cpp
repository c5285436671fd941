#include "fatbin/in_process.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fatbin/container_reader.hpp"
#include "fatbin/format.hpp"
#include "fatbin/memory_map.hpp"

namespace warpwright::fatbin {
namespace {

constexpr u32 kOneUnit = 1;
constexpr u32 kLinkedUnits = 2;

[[noreturn]] void refuse(const std::string& cause, const std::string& origin) {
  throw Error(cause, {origin}, "build the program anew with nvcc -cudart shared or warpwright-cc");
}

Container containerAt(const void* address, const MemoryMap& memory, const std::string& origin) {
  if (!address) refuse("no device code is embedded", origin);
  const auto bytes = memory.from(address);
  if (bytes.empty()) refuse("the registered device code is not in memory", origin);
  return readFirst(bytes, {origin, 0}).container;
}

std::vector<Container> linkedUnits(const void* const* units, const MemoryMap& memory, const std::string& origin) {
  std::vector<Container> containers;
  for (;; ++units) {
    if (memory.from(units).size() < sizeof *units) refuse("the list of linked device code has no end", origin);
    if (!*units) return containers;
    containers.push_back(containerAt(*units, memory, origin));
  }
}

std::vector<Container> wrapped(std::span<const std::byte> bytes, const MemoryMap& memory, const std::string& origin) {
  if (bytes.size() < sizeof(Wrapper) || !startsWith(bytes, kWrapperMagic)) refuse("device code is registered in an unknown format", origin);
  const auto wrapper = load<Wrapper>(bytes);
  if (wrapper.version == kOneUnit || (wrapper.version == kLinkedUnits && !wrapper.units))
    return {containerAt(wrapper.data, memory, origin)};
  if (wrapper.version == kLinkedUnits) return linkedUnits(wrapper.units, memory, origin);
  refuse(fmt::format("device code is registered in format {}; 1 and 2 are known", wrapper.version), origin);
}

}  // namespace

std::vector<Container> wrapperContainers(const void* wrapper, const std::string& origin) {
  const MemoryMap memory;
  return wrapped(memory.from(wrapper), memory, origin);
}

std::vector<Container> imageContainers(const void* image, const std::string& origin) {
  const MemoryMap memory;
  const auto bytes = memory.from(image);
  if (startsWith(bytes, kWrapperMagic)) return wrapped(bytes, memory, origin);
  return {containerAt(image, memory, origin)};
}

}  // namespace warpwright::fatbin
