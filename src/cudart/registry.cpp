#include "registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "fatbin/container.hpp"
#include "messages.hpp"
#include "ptx/parser.hpp"
#include "runtime/fatbinary.hpp"

namespace warpwright::cudart {
namespace {

std::string programName() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "program" : path.filename().string();
}

// Of code for several architectures, that for the newest is as good as any where no device is chosen yet: data are the same in all.
constexpr u32 kNewestArchitecture = 999;

// Initial bytes of a module's variables; empty for code that cannot be read: load() says so when the module is used.
std::map<std::string, std::vector<u8>> initialImages(const FatBinary& binary) {
  std::map<std::string, std::vector<u8>> images;
  try {
    for (const runtime::PtxUnit& unit : runtime::registeredPtx(binary.wrapper, binary.name, kNewestArchitecture))
      for (ptx::Variable& variable : ptx::parse(unit.text, "").variables)
        if (variable.linkage != ptx::Linkage::extern_) images.emplace(variable.name, std::move(variable.image));
  } catch (const Error&) {
  }
  return images;
}

}  // namespace

FatBinary& Registry::addBinary(const void* wrapper) {
  auto binary = std::make_unique<FatBinary>();
  binary->wrapper = wrapper;
  binary->name = fmt::format("{}[ptx {}]", programName(), binaries_.size() + 1);
  return *binaries_.emplace_back(std::move(binary));
}

FatBinary& Registry::addLibrary(std::vector<runtime::PtxUnit> units) {
  auto binary = std::make_unique<FatBinary>();
  binary->isLibrary = true;
  binary->units = std::move(units);
  binary->name = fmt::format("{}[library {}]", programName(), binaries_.size() + 1);
  return *binaries_.emplace_back(std::move(binary));
}

bool Registry::isLibrary(const FatBinary* binary) const {
  return std::any_of(binaries_.begin(), binaries_.end(), [&](const auto& known) { return known.get() == binary && known->isLibrary; });
}

void Registry::removeLibrary(std::span<const std::unique_ptr<runtime::Device>> devices, FatBinary& library) {
  for (const auto& device : devices) {
    const auto found = library.loaded.find(device.get());
    if (found != library.loaded.end() && found->second.module) device->unloadModule(found->second.module->id);
  }
  for (const auto& [name, handle] : library.handles) kernels_.erase(&handle);
  std::erase_if(binaries_, [&](const auto& known) { return known.get() == &library; });
}

const void* Registry::libraryKernel(const runtime::Device& device, FatBinary& library, const std::string& name) {
  if (const auto known = library.handles.find(name); known != library.handles.end()) return &known->second;
  const isa::Function* const function = library.loaded.at(&device).module->loaded->program.findFunction(name);
  if (!function || !function->isKernel) return nullptr;
  const void* const handle = &library.handles[name];
  addKernel(library, handle, name.c_str());
  for (const auto& [other, loaded] : library.loaded)
    if (loaded.module) kernels_.at(handle).functions[other] = loaded.module->loaded->program.findFunction(name);
  return handle;
}

void Registry::addKernel(FatBinary& binary, const void* host, const char* name) {
  Kernel kernel;
  kernel.binary = &binary;
  kernel.name = name;
  kernels_.insert_or_assign(host, std::move(kernel));
}

void Registry::addSymbol(const void* host, Symbol symbol) {
  if (isManaged(host)) initialise(symbol);
  symbols_.insert_or_assign(host, std::move(symbol));
}

void Registry::addManagedRange(void* begin, void* end) {
  const std::pair range(static_cast<const char*>(begin), static_cast<const char*>(end));
  if (std::find(managedRanges_.begin(), managedRanges_.end(), range) != managedRanges_.end()) return;
  std::vector<const void*> known;
  for (const auto& [host, symbol] : symbols_)
    if (isManaged(host)) known.push_back(host);
  managedRanges_.push_back(range);
  for (const auto& [host, symbol] : symbols_)
    if (isManaged(host) && std::find(known.begin(), known.end(), host) == known.end()) initialise(symbol);
}

void Registry::initialise(const Symbol& symbol) {
  auto& images = symbol.binary->images;
  if (!images) images = initialImages(*symbol.binary);
  const auto found = images->find(symbol.name);
  if (found != images->end()) std::memcpy(symbol.host, found->second.data(), std::min<u64>(found->second.size(), symbol.size));
}

Kernel* Registry::kernel(const void* host) {
  const auto found = kernels_.find(host);
  return found == kernels_.end() ? nullptr : &found->second;
}

Symbol* Registry::symbol(const void* host) {
  const auto found = symbols_.find(host);
  return found == symbols_.end() ? nullptr : &found->second;
}

bool Registry::isManaged(const void* host) const {
  const auto* at = static_cast<const char*>(host);
  for (const auto& [begin, end] : managedRanges_)
    if (at >= begin && at < end) return true;
  return false;
}

u64 Symbol::addressOn(const runtime::Device& device) const {
  const auto found = addresses.find(&device);
  return found == addresses.end() ? 0 : found->second;
}

// Managed variables have one address for all devices: the host's variable, or where the first device that loaded them has put them.
runtime::Placements Registry::placeManaged(runtime::Device& device, const FatBinary& binary) {
  runtime::Placements placements;
  for (const auto& [host, symbol] : symbols_) {
    if (symbol.binary != &binary) continue;
    const bool isHosts = isManaged(host);
    const bool isPlaced = symbol.managedPointer && !symbol.addresses.empty();
    if (!isHosts && !isPlaced) continue;
    if (device.settings().addressBits != 64)
      throw Error("managed variable '" + symbol.name + "' with 32-bit device addresses", {},
                  "compile without -m32, or use cudaMallocManaged");
    const u64 address = isHosts ? reinterpret_cast<u64>(symbol.host) : symbol.addresses.begin()->second;
    device.memory().registerHost(reinterpret_cast<void*>(address), symbol.size, symbol.name);
    placements.emplace(symbol.name, address);
  }
  return placements;
}

void Registry::resolve(const runtime::Device& device, FatBinary& binary) {
  const exec::LoadedProgram& loaded = *binary.loaded.at(&device).module->loaded;
  const isa::Program& program = loaded.program;
  for (auto& [host, kernel] : kernels_)
    if (kernel.binary == &binary) kernel.functions[&device] = program.findFunction(kernel.name);
  for (auto& [host, symbol] : symbols_) {
    if (symbol.binary != &binary) continue;
    for (std::size_t i = 0; i < program.variables.size(); ++i)
      if (program.variables[i].name == symbol.name) symbol.addresses[&device] = loaded.variableAddresses[i];
    if (symbol.managedPointer) *symbol.managedPointer = reinterpret_cast<void*>(symbol.addressOn(device));
  }
}

std::vector<runtime::PtxUnit> Registry::unitsOf(const FatBinary& binary, const config::Machine& machine) {
  if (binary.isLibrary) return binary.units;
  return runtime::registeredPtx(binary.wrapper, binary.name, machine.computeMajor * 10 + machine.computeMinor);
}

FatBinary::Loaded Registry::load(runtime::Device& device, FatBinary& binary) {
  FatBinary::Loaded& loaded = binary.loaded[&device];
  if (loaded.module || loaded.failure != cudaSuccess) return loaded;
  cudaError_t failure = cudaErrorInvalidKernelImage;
  try {
    const auto units = unitsOf(binary, device.settings().machine);
    failure = cudaErrorInvalidPtx;
    loaded.module = &device.loadModule(units, binary.name, placeManaged(device, binary));
  } catch (const Error& error) {
    loaded.failure = dynamic_cast<const fatbin::NoPtx*>(&error) ? cudaErrorNoKernelImageForDevice : failure;
    printError(error.what());
    return loaded;
  }
  resolve(device, binary);
  return loaded;
}

u32 Registry::addressBits() const {
  for (const auto& binary : binaries_) {
    if (binary->isLibrary) continue;
    try {
      if (runtime::registeredAddressBits(binary->wrapper, binary->name) == 32) return 32;
    } catch (const Error&) {
      // Not PTX: load() says so when the module is used.
    }
  }
  return 64;
}

void Registry::forgetModules(const runtime::Device& device) {
  for (auto& binary : binaries_) binary->loaded.erase(&device);
  for (auto& [host, kernel] : kernels_) kernel.functions.erase(&device);
  for (auto& [host, symbol] : symbols_) symbol.addresses.erase(&device);
}

}  // namespace warpwright::cudart
