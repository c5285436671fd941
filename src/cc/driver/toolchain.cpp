#include "cc/driver/toolchain.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "cc/driver/process.hpp"

#ifndef WARPWRIGHT_CC_SOURCE_HEADERS
#define WARPWRIGHT_CC_SOURCE_HEADERS ""
#endif
#ifndef WARPWRIGHT_CUDART_SOURCE_HEADERS
#define WARPWRIGHT_CUDART_SOURCE_HEADERS ""
#endif
#ifndef WARPWRIGHT_CUDA_SOURCE_HEADERS
#define WARPWRIGHT_CUDA_SOURCE_HEADERS ""
#endif
#ifndef WARPWRIGHT_NVRTC_SOURCE_HEADERS
#define WARPWRIGHT_NVRTC_SOURCE_HEADERS ""
#endif
#ifndef WARPWRIGHT_INSTALLED_LIBRARY_FOLDER
#define WARPWRIGHT_INSTALLED_LIBRARY_FOLDER "lib"
#endif

namespace warpwright::cc {
namespace {

namespace fs = std::filesystem;

// The releases that the tests run with.
constexpr u32 kOldestClang = 14;
constexpr u32 kNewestClang = 19;

bool onPath(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string findClang(const std::string& wish) {
  std::vector<std::string> candidates;
  const char* environment = std::getenv("WARPWRIGHT_CLANG");
  if (!wish.empty()) {
    candidates = {wish};
  } else if (environment && *environment) {
    candidates = {environment};
  } else {
    for (u32 version = kNewestClang; version >= kOldestClang; --version) candidates.push_back(fmt::format("clang++-{}", version));
    candidates.push_back("clang++");
  }
  for (const std::string& candidate : candidates) {
    if (onPath(candidate)) return candidate;
  }
  throw Error(fmt::format("cannot find clang ('{}')", candidates.front()), {},
              fmt::format("install it (apt-get install clang-{}) or name it with WARPWRIGHT_CLANG", kNewestClang));
}

// "… clang version 14.0.6": the major number.
u32 majorVersion(const std::string& clang) {
  const std::string text = capture({clang, "--version"});
  const std::string marker = "clang version ";
  const size_t at = text.find(marker);
  if (at == std::string::npos) throw Error(fmt::format("'{}' is not clang", clang), {}, "device code needs clang 14 or later");
  const u32 major = static_cast<u32>(std::strtoul(text.c_str() + at + marker.size(), nullptr, 10));
  if (major < kOldestClang) throw Error(fmt::format("'{}' is clang {}", clang, major), {}, "device code needs clang 14 or later");
  return major;
}

// The build tree first (its headers are the sources), then the installation.
void findHeaders(Toolchain& tools, const fs::path& prefix) {
  const fs::path installed = prefix / "include" / "warpwright" / "cuda";
  fs::path own = installed;
  if (fs::exists(installed / "cuda_runtime.h")) {
    tools.includeFolders = {installed.string()};
  } else if (fs::exists(fs::path(WARPWRIGHT_CC_SOURCE_HEADERS) / "cuda_runtime.h")) {
    own = WARPWRIGHT_CC_SOURCE_HEADERS;
    tools.includeFolders = {own.string(),
                            WARPWRIGHT_CUDART_SOURCE_HEADERS,
                            WARPWRIGHT_CUDA_SOURCE_HEADERS,
                            WARPWRIGHT_NVRTC_SOURCE_HEADERS,
                            WARPWRIGHT_CUBLAS_SOURCE_HEADERS,
                            WARPWRIGHT_CURAND_SOURCE_HEADERS};
  } else {
    throw Error(fmt::format("cannot find cuda_runtime.h in {}", installed.string()), {}, "reinstall warpwright, or build it again");
  }
  tools.vendorStubFolder = (own / "warpwright_unsupported").string();
  tools.address32Folder = (own / "warpwright_address32").string();
}

std::string findLibraryFolder(const fs::path& prefix) {
  for (const char* folder : {"lib", WARPWRIGHT_INSTALLED_LIBRARY_FOLDER}) {
    if (fs::exists(prefix / folder / "libwarpwright_cudart.so")) return (prefix / folder).string();
  }
  return (prefix / "lib").string();
}

}  // namespace

std::vector<std::string> systemIncludeFolders(const std::string& clang) {
  std::istringstream text(capture({clang, "-E", "-x", "c++", "-v", "/dev/null", "-o", "/dev/null"}));
  std::vector<std::string> folders;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("End of search list", 0) == 0) break;
    if (inside && line.size() > 1) folders.push_back(line.substr(1));
    if (line.rfind("#include <...>", 0) == 0) inside = true;
  }
  return folders;
}

Toolchain findToolchain(const std::string& executable, const std::string& clangOption) {
  Toolchain tools;
  tools.clang = findClang(clangOption);
  tools.clangMajor = majorVersion(tools.clang);
  const fs::path prefix = fs::path(executable).parent_path().parent_path();
  findHeaders(tools, prefix);
  tools.libraryFolder = findLibraryFolder(prefix);
  tools.dropInFolder = tools.libraryFolder + "/warpwright";
  return tools;
}

}  // namespace warpwright::cc
