// The forms of functions with a default stream of each thread's own: stream 0 stands for CU_STREAM_PER_THREAD while one of them runs. The
// linker is given a template's instance for each through an indirect function, because a template's instance cannot have a name of C.
#define WARPWRIGHT_API_WITHOUT_OVERLOADS
#include "call.hpp"

namespace {

using warpwright::cuda::Driver;

class Scope {
 public:
  Scope() : outer_(Driver::instance().access.setDefaultStreamPerThread(true)) {}
  ~Scope() { Driver::instance().access.setDefaultStreamPerThread(outer_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  bool outer_;
};

template <auto function>
struct PerThread;

template <typename... Arguments, CUresult (*function)(Arguments...)>
struct PerThread<function> {
  static CUresult call(Arguments... arguments) {
    const Scope scope;
    return function(arguments...);
  }
};

}  // namespace

// The resolvers run before any sanitizer is ready.
#define WW_DRIVER_PER_THREAD(function, suffix)                                                                                   \
  extern "C" {                                                                                                                   \
  __attribute__((used, no_sanitize("thread", "address", "undefined"))) static decltype(&function) resolve_##function##suffix() { \
    return &PerThread<&function>::call;                                                                                          \
  }                                                                                                                              \
  __attribute__((visibility("default"), ifunc("resolve_" #function #suffix))) decltype(function) function##suffix;               \
  }
#include "per_thread.def"
