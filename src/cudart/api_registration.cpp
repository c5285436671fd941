// What a compiler's start-up code calls before main: it hands over the embedded device code and says which host addresses stand for
// which kernels and variables. Nothing is compiled here.
#include "context.hpp"
#include "cuda_runtime_api.h"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// The handle is opaque to the program; it is the binary itself.
FatBinary& binaryOf(void** handle) { return *reinterpret_cast<FatBinary*>(handle); }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __cudaRegisterFatBinary(const void* wrapper) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  return reinterpret_cast<void**>(&context.registry.addBinary(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

// Modules stay loaded: the profile is printed after the program has unregistered its code.
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*, void*, void*, int*) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  context.registry.addKernel(binaryOf(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t size, int, int) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  context.registry.addSymbol(host, {&binaryOf(handle), name, size, {}, host, nullptr});
}

// The host's variable is a pointer, which receives the address when the module is loaded.
void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t size, int, int) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  context.registry.addSymbol(host, {&binaryOf(handle), name, size, {}, host, host});
}

// Loads a module before its first kernel, for host code that reads managed variables.
char __cudaInitModule(void** handle) {
  return call([&](Context& context) { return context.registry.load(context.device(), binaryOf(handle)).failure; }) == cudaSuccess;
}

// The section of warpwright-cc that holds the host's managed variables.
void __warpwrightRegisterManaged(void* begin, void* end) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  context.registry.addManagedRange(begin, end);
}

}  // extern "C"
#pragma GCC visibility pop
