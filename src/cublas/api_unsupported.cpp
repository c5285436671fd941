// The stubs of functions that NVIDIA's library has and this one refuses. They look at no argument, so that one form serves all; for the
// same reason the header is not included here, and the status is a plain int.
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

namespace {

constexpr int kNotSupported = 15;

int refuse(const char* function) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.insert(function).second)
    std::fprintf(stderr,
                 "warpwright: the program calls %s, which is not supported: it gets CUBLAS_STATUS_NOT_SUPPORTED (docs/libraries.md "
                 "lists what works)\n",
                 function);
  return kNotSupported;
}

}  // namespace

#define WW_CUBLAS_UNSUPPORTED(name) \
  extern "C" __attribute__((visibility("default"))) int name() { return refuse(#name); }
#include "unsupported.def"
