#include "cli/cuda_runtime.hpp"

#include <algorithm>
#include <filesystem>

#include "fatbin/elf_file.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOwnRuntime = "libwarpwright_cudart.so";
constexpr std::string_view kDropIns[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};
constexpr std::string_view kSharedRuntime = "libcudart.so";
constexpr const char* kFolder = "warpwright";

// NVIDIA's runtime finds the driver by this name when it is linked into the program.
bool holdsRuntime(const fatbin::ElfFile& file) {
  const auto strings = file.section(".rodata");
  return strings && strings->find(kDriverLibrary) != std::string_view::npos;
}

bool registersDeviceCode(const fatbin::ElfFile& file) { return file.section(".nvFatBinSegment") || file.section(".nv_fatbin"); }

// The name that the runtime of the same release has as a shared library; empty where the program has no names of functions.
std::string releaseOf(const fatbin::ElfFile& file) {
  const auto names = file.section(".strtab");
  const auto has = [&](std::string_view function) {
    return names && names->find('\0' + std::string(function) + '\0') != std::string_view::npos;
  };
  if (!has("cudaMalloc")) return {};
  // Each of the two came with its release.
  if (has("cudaDeviceGetHostAtomicCapabilities")) return "libcudart.so.13";
  return has("cudaGetDeviceProperties_v2") ? "libcudart.so.12" : "libcudart.so.11.0";
}

CudaRuntime runtimeWithin(const fatbin::ElfFile& file) {
  const std::string release = releaseOf(file);
  return {release.empty() ? CudaUse::hiddenRuntime : CudaUse::staticRuntime, release};
}

}  // namespace

CudaRuntime cudaRuntimeOf(std::string_view elfBytes, const std::string& name) {
  const fatbin::ElfFile file(elfBytes, name);
  const auto libraries = file.neededLibraries();
  const auto needed = [&](auto&& matches) {
    const auto found = std::find_if(libraries.begin(), libraries.end(), matches);
    return found == libraries.end() ? std::string() : *found;
  };
  if (const auto own = needed([](const auto& l) { return l == kOwnRuntime; }); !own.empty()) return {CudaUse::own, own};
  if (const auto shared = needed([](const auto& l) { return l.starts_with(kSharedRuntime); }); !shared.empty()) {
    const bool known = std::find(std::begin(kDropIns), std::end(kDropIns), shared) != std::end(kDropIns);
    return {known ? CudaUse::shared : CudaUse::otherVersion, shared};
  }
  if (registersDeviceCode(file) && holdsRuntime(file)) return runtimeWithin(file);
  if (const auto driver = needed([](const auto& l) { return l == kDriverLibrary; }); !driver.empty()) return {CudaUse::driver, driver};
  return holdsRuntime(file) ? runtimeWithin(file) : CudaRuntime{};
}

std::string dropInFolder(const std::string& library) {
  std::error_code failed;
  const fs::path top = fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
  for (const fs::path& libraries : {top / "lib", top / WARPWRIGHT_INSTALLED_LIBRARY_FOLDER})
    if (fs::exists(libraries / kFolder / library, failed)) return (libraries / kFolder).string();
  return {};
}

}  // namespace warpwright::cli
