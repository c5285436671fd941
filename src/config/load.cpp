#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "config/files.hpp"
#include "config/machine.hpp"

namespace warpwright::config {
namespace fs = std::filesystem;
namespace {

// Of the executable or shared library that this code was linked into.
fs::path binaryFolder() {
  Dl_info information{};
  if (dladdr(reinterpret_cast<const void*>(&configFolder), &information) == 0 || information.dli_fname == nullptr) return {};
  std::error_code failed;
  fs::path file = fs::weakly_canonical(information.dli_fname, failed);
  // For the executable itself, dli_fname is argv[0], which a search of PATH leaves without a folder.
  if (failed || !fs::exists(file, failed)) file = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path{} : file.parent_path();
}

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<fs::path> presetFiles() {
  const std::string folder = configFolder();
  std::vector<fs::path> result;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".toml") result.push_back(entry.path());
  }
  if (failed) throw Error("cannot read the folder of machine files '" + folder + "': " + failed.message(), {}, "set WARPWRIGHT_CONFIGS");
  std::sort(result.begin(), result.end());
  return result;
}

[[noreturn]] void throwUnknownPreset(const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& file : presetFiles()) names.push_back(file.stem().string());
  const std::string near = nearestName(name, names);
  throw Error(
      fmt::format("no machine is called '{}'", name), {},
      near.empty() ? fmt::format("the machines in {} are: {}", configFolder(), fmt::join(names, ", ")) : "did you mean '" + near + "'?");
}

}  // namespace

std::string configFolder() {
  if (const char* folder = std::getenv("WARPWRIGHT_CONFIGS"); folder != nullptr && *folder != '\0') return folder;
  const fs::path binary = binaryFolder();
  for (const char* relative : {"../configs", "../share/warpwright/configs"}) {
    const fs::path candidate = (binary / relative).lexically_normal();
    if (!binary.empty() && isFolder(candidate)) return candidate.string();
  }
  return WARPWRIGHT_SOURCE_CONFIGS;
}

fs::path machineFile(const std::string& nameOrPath, const fs::path& folder) {
  const bool isPath = nameOrPath.find('/') != std::string::npos || nameOrPath.ends_with(".toml");
  if (isPath) return folder / nameOrPath;
  fs::path preset = fs::path(configFolder()) / (nameOrPath + ".toml");
  std::error_code ignored;
  if (nameOrPath.empty() || !fs::is_regular_file(preset, ignored)) throwUnknownPreset(nameOrPath);
  return preset;
}

std::string readMachineText(const fs::path& file) { return readFile(file.string()); }

Machine loadMachine(const std::string& nameOrPath, Overrides overrides) {
  const fs::path file = machineFile(nameOrPath);
  return parseMachine(readMachineText(file), file.string(), overrides);
}

std::vector<Machine> presetMachines() {
  std::vector<Machine> result;
  for (const fs::path& file : presetFiles()) result.push_back(parseMachine(readMachineText(file), file.string()));
  return result;
}

}  // namespace warpwright::config
