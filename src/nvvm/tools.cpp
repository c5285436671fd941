#include "nvvm/tools.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "base/error.hpp"

namespace warpwright::nvvm {
namespace {

bool onPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

Tools named(const std::string& before, const std::string& behind) {
  return {before + "llvm-dis" + behind, before + "llvm-link" + behind, before + "opt" + behind, before + "llc" + behind};
}

}  // namespace

Tools findTools() {
  if (const char* folder = std::getenv("WARPWRIGHT_LLVM"); folder && *folder) return named(std::string(folder) + "/", "");
  for (u32 release = kNewestLlvm; release >= kOldestLlvm; --release)
    if (const std::string suffix = fmt::format("-{}", release); onPath("llc" + suffix)) return named("", suffix);
  throw Error(fmt::format("there is no LLVM {} to {}, which reads NVVM IR", kOldestLlvm, kNewestLlvm), {},
              "install one (apt-get install llvm), or name the folder of its tools with WARPWRIGHT_LLVM");
}

}  // namespace warpwright::nvvm
