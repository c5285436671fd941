#include "lab/identity/simulator.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "lab/identity/hash.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRuntime = "libwarpwright_cudart.so";

fs::path libraryFolderOf(const fs::path& executable) {
  const fs::path top = executable.parent_path().parent_path();
  for (const fs::path& folder : {top / "lib", top / WARPWRIGHT_INSTALLED_LIBRARY_FOLDER})
    if (fs::exists(folder / kRuntime)) return folder;
  throw Error(std::string("there is no ") + kRuntime + " beside " + executable.string(), {},
              "build all of Warpwright (cmake --build build), or install it as a whole");
}

// The runtime, and the stand-ins for NVIDIA's libraries.
std::vector<fs::path> librariesIn(const fs::path& folder) {
  std::vector<fs::path> libraries = {folder / kRuntime};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "warpwright", none))
    if (entry.is_regular_file()) libraries.push_back(entry.path());
  std::sort(libraries.begin(), libraries.end());
  return libraries;
}

}  // namespace

Simulator thisSimulator() {
  const fs::path executable = fs::read_symlink("/proc/self/exe");
  const fs::path folder = libraryFolderOf(executable);
  Hasher hasher;
  hasher.add(hashOfFile(executable.string()));
  for (const fs::path& library : librariesIn(folder)) hasher.add(library.filename().string()).add(hashOfFile(library.string()));
  return {executable.string(), folder.string(), WARPWRIGHT_VERSION, hasher.hex()};
}

}  // namespace warpwright::lab
