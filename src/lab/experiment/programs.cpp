// Where programs are.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "lab/experiment/plan.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "WARPWRIGHT_WORKLOADS";

// Those with 32-bit addresses lie in a folder of their own.
fs::path ofAddresses(const fs::path& folder, const std::string& bits) { return bits == "32" ? folder / "m32" : folder; }

// Of a build, or of an installation.
fs::path workloadFolder(const Simulator& simulator) {
  if (const char* folder = std::getenv(kVariable); folder && *folder) return folder;
  const fs::path built = fs::path(simulator.executable).parent_path().parent_path() / "workloads";
  const fs::path installed = fs::path(simulator.libraryFolder) / "warpwright" / "workloads";
  return !fs::exists(built) && fs::exists(installed) ? installed : built;
}

bool isProgram(const fs::path& file) {
  std::error_code failed;
  return fs::is_regular_file(file, failed) && ::access(file.c_str(), X_OK) == 0;
}

std::vector<std::string> workloads(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (isProgram(entry.path())) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string findProgram(const std::string& run, const std::string& addressBits, const std::string& folder, const Simulator& simulator) {
  const bool isPath = run.find('/') != std::string::npos;
  const fs::path all = ofAddresses(workloadFolder(simulator), addressBits);
  const fs::path file = isPath ? fs::path(folder) / run : all / run;
  if (isProgram(file)) return fs::weakly_canonical(file).string();
  if (isPath) {
    const std::string what = fs::exists(file) ? "is not executable" : "does not exist";
    throw Error(fmt::format("the program '{}' {}", file.string(), what), {}, "compile it with warpwright-cc");
  }
  const std::vector<std::string> names = workloads(all);
  if (names.empty())
    throw Error(fmt::format("no workloads lie in '{}'", all.string()), {},
                fmt::format("build them (cmake --build build), or name their folder in {}", kVariable));
  throw unknownName("program", run, names, {},
                    fmt::format("workloads{}: {}; a path has a slash (./app)", addressBits == "32" ? " with 32-bit addresses" : "",
                                fmt::join(names, ", ")));
}

}  // namespace warpwright::lab
