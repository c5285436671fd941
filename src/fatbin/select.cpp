#include "fatbin/select.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "base/error.hpp"

namespace warpwright::fatbin {
namespace {

bool mayRunOn(const Architecture& code, u32 version) {
  if (code.suffix == 'a') return code.version == version;
  if (code.suffix == 'f' && code.version / 10 != version / 10) return false;
  return code.version <= version;
}

bool hasMachineCode(std::span<const Container> containers) {
  return std::any_of(containers.begin(), containers.end(), [](const Container& container) {
    return std::any_of(container.entries.begin(), container.entries.end(), [](const Entry& entry) { return entry.kind == Kind::elf; });
  });
}

// The names of the architectures of all entries, each once, lowest first.
std::vector<std::string> architecturesOf(std::span<const Container> containers) {
  std::vector<Architecture> found;
  for (const Container& container : containers)
    for (const Entry& entry : container.entries)
      if (std::find(found.begin(), found.end(), entry.architecture) == found.end()) found.push_back(entry.architecture);
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return std::tie(a.version, a.suffix) < std::tie(b.version, b.suffix); });
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const Architecture& architecture : found) names.push_back(architecture.name());
  return names;
}

[[noreturn]] void refuse(std::span<const Container> containers) {
  const auto architectures = architecturesOf(containers);
  const std::string origin = containers.empty() ? "" : containers.front().origin;
  if (architectures.empty()) throw NoPtx("there is no device code", {origin}, "embed PTX: build it with nvcc -arch=sm_75 or warpwright-cc");
  std::string version = architectures.front().substr(0, architectures.front().find_last_of("0123456789") + 1);
  version = version.starts_with("sm_") ? version.substr(3) : "75";
  const char* const what = hasMachineCode(containers) ? "machine code" : "intermediate code for the linker (LTO)";
  throw NoPtx(fmt::format("the device code is {} for {} without PTX", what, fmt::join(architectures, ", ")), {origin},
              fmt::format("embed PTX: compile with nvcc -gencode arch=compute_{0},code=compute_{0} or -arch=sm_{0}", version));
}

const Entry* best(const Container& container, u32 version) {
  const Entry* found = nullptr;
  for (const Entry& entry : container.entries) {
    if (entry.kind != Kind::ptx || !mayRunOn(entry.architecture, version)) continue;
    const auto rank = [](const Entry& e) { return std::pair(e.architecture.version, e.architecture.suffix == 0); };
    if (!found || rank(entry) > rank(*found)) found = &entry;
  }
  return found;
}

const Entry* lowest(const Container& container) {
  const Entry* found = nullptr;
  for (const Entry& entry : container.entries) {
    if (entry.kind != Kind::ptx) continue;
    const auto rank = [](const Entry& e) { return std::pair(e.architecture.suffix != 0, e.architecture.version); };
    if (!found || rank(entry) < rank(*found)) found = &entry;
  }
  return found;
}

}  // namespace

Selection selectPtx(const Container& container, u32 smVersion) {
  if (const Entry* entry = best(container, smVersion)) return {entry, false};
  if (const Entry* entry = lowest(container)) return {entry, true};
  refuse({&container, 1});
}

std::vector<Selection> selectPtx(std::span<const Container> containers, u32 smVersion) {
  std::vector<Selection> selections;
  for (const Container& container : containers)
    if (container.hasPtx()) selections.push_back(selectPtx(container, smVersion));
  if (selections.empty()) refuse(containers);
  return selections;
}

}  // namespace warpwright::fatbin
