#include "runtime/named_kernels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "base/nearest.hpp"
#include "mechanisms/kernel_names.hpp"

namespace warpwright::runtime {

void NamedKernels::launched(const mechanisms::Mechanisms& mechanisms, const isa::Program& program, const isa::Function& kernel) {
  launched_.insert(kernel.name);
  if (!programs_.insert(&program).second) return;
  for (const auto& mechanism : mechanisms)
    for (const mechanisms::KernelMention& each : mechanism->kernelsNamed(program)) mentions_.try_emplace(each.kernel, each.by);
}

std::vector<std::string> NamedKernels::remarks() const {
  std::vector<std::string> names, remarks;
  for (const std::string& kernel : launched_) names.emplace_back(nameIn(demangled(kernel)));
  for (const auto& [name, by] : mentions_) {
    const auto isIt = [&, &name = name](const std::string& kernel) { return mechanisms::isCalled(kernel, name); };
    if (std::ranges::any_of(launched_, isIt)) continue;
    const std::string near = nearestName(name, names);
    remarks.push_back(
        fmt::format("{} names the kernel '{}', which was never launched: {}", by, name,
                    near.empty() ? fmt::format("the kernels were {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", near)));
  }
  return remarks;
}

}  // namespace warpwright::runtime
