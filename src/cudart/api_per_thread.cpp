// Each form takes the arguments of the function it belongs to. The linker is given the template's instance for it through an indirect
// function, because a template's instance cannot have a name of C.
#define WARPWRIGHT_API_WITHOUT_OVERLOADS
#include "cuda_runtime_api.h"
#include "per_thread.hpp"
#include "start_up_api.hpp"

using warpwright::cudart::PerThread;

// The resolvers run before any sanitizer is ready.
#define WW_PER_THREAD(function, suffix)                                                                                          \
  extern "C" {                                                                                                                   \
  __attribute__((used, no_sanitize("thread", "address", "undefined"))) static decltype(&function) resolve_##function##suffix() { \
    return &PerThread<&function>::call;                                                                                          \
  }                                                                                                                              \
  __attribute__((visibility("default"), ifunc("resolve_" #function #suffix))) decltype(function) function##suffix;               \
  }
#include "per_thread.def"
