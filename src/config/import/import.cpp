#include "config/import/import.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "config/import/parts.hpp"

namespace warpwright::config {
namespace {

// A comment cannot hold line breaks or other control characters.
std::string commentable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace

Imported importGpgpuSim(const std::string& text, const std::string& fileName) {
  Options options(text, fileName);
  options.require({"gpgpu_n_clusters", "gpgpu_n_mem", "gpgpu_clock_domains", "gpgpu_shader_core_pipeline", "gpgpu_dram_timing_opt"});
  Imported result;
  Machine& machine = result.machine;
  machine.name = std::filesystem::path(fileName).stem().string();
  machine.description = "Imported from a configuration of GPGPU-Sim";
  machine.timed = true;
  importChip(options, machine);
  importPipeline(options, machine);
  importSmMemory(options, machine);
  importCaches(options, machine);
  importDram(options, machine);
  importMemorySystem(options, machine);
  try {
    validate(machine);
  } catch (const Error& error) {
    throw Error("the options describe a machine that cannot be built: " + error.message(), {fileName, 0, 0},
                "docs/import-config.md says which option gives which key");
  }
  result.leftOver = options.leftOver();
  return result;
}

std::string toToml(const Imported& imported, const std::string& fileName) {
  std::string result =
      fmt::format("# Imported from '{}', a configuration of GPGPU-Sim. What it does not say has its default (docs/machines.md).\n",
                  commentable(fileName));
  if (!imported.leftOver.empty()) result += "# Not carried over, or not as it was:\n";
  for (const LeftOver& each : imported.leftOver) {
    result += fmt::format("#   line {}: {}\n#     {}\n", each.where.line, commentable(each.option), each.reason);
  }
  return result + toToml(imported.machine);
}

}  // namespace warpwright::config
