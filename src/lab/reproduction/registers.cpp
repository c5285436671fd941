#include "lab/reproduction/registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "cc/driver/process.hpp"
#include "compiler/register_report.hpp"
#include "config/machine.hpp"
#include "ptx/parser.hpp"
#include "runtime/compile_options.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

std::string ptxOf(const std::string& program, const RegisterTarget& target, const Simulator& simulator) {
  const fs::path source = fs::path(WARPWRIGHT_SOURCE_WORKLOADS) / program / (program + ".cu");
  if (!fs::exists(source))
    throw Error("the source of the workload '" + program + "' is not at " + source.string(), {},
                "register counts are made from Warpwright's source tree: keep it where it was built");
  const cc::TemporaryFolder folder;
  const std::string ptx = folder.path() + "/kernels.ptx";
  const std::string compiler = (fs::path(simulator.executable).parent_path() / "warpwright-cc").string();
  int status = 0;
  const std::string output =
      cc::capture({compiler, "-O2", "-std=c++17", "--ptx", fmt::format("-m{}", target.addressBits), source.string(), "-o", ptx}, &status);
  if (status != 0) throw Error("warpwright-cc cannot compile '" + source.string() + "':\n" + output);
  return readFile(ptx);
}

}  // namespace

const RegisterCounts::Counts& RegisterCounts::countsOf(const std::string& program, const std::string& target) {
  const auto [entry, isNew] = known_.try_emplace(program + " " + target);
  if (!isNew) return entry->second;
  const auto found = std::find_if(targets_.begin(), targets_.end(), [&](const RegisterTarget& each) { return target == each.name; });
  if (found == targets_.end()) return entry->second;
  work_.begin(program);
  const config::Machine machine = config::loadMachine(found->machine);
  const ptx::Module module = ptx::parse(ptxOf(program, *found, simulator_), program);
  for (const compiler::KernelRegisters& kernel : compiler::reportRegisters(module, runtime::compileOptions(machine, isa::kMaxRegisters))) {
    const std::string name = nameIn(demangled(kernel.name));
    entry->second[name + ".default"] = kernel.standard;
    entry->second[name + ".base"] = kernel.base;
    entry->second[name + ".minimum"] = kernel.minimum;
    double& ofAll = entry->second[".minimum"];
    ofAll = std::max<double>(ofAll, kernel.minimum);
  }
  work_.rest();
  return entry->second;
}

std::optional<double> RegisterCounts::count(const std::string& program, const std::string& kernel, const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const Counts& counts = countsOf(program, name.substr(0, dot));
  const auto found = counts.find(kernel + name.substr(dot));
  if (found == counts.end()) return std::nullopt;
  return found->second;
}

}  // namespace warpwright::lab
