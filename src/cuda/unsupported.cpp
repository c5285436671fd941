// What a call that is not supported does: it says once on stderr that the program makes it, and returns CUDA_ERROR_NOT_SUPPORTED.
#include <set>

#include "call.hpp"

namespace warpwright::cuda {

static_assert(sizeof(CUresult) == sizeof(int), "the stubs return the result as an int");

int refuse(const char* function);

int refuse(const char* function) {
  return call(Needs::nothing, [function](Driver& driver) {
    static std::set<std::string> said;
    if (said.insert(function).second)
      driver.access.explain(std::string("the program calls ") + function +
                            ", which is not supported: it gets CUDA_ERROR_NOT_SUPPORTED (docs/driver-functions.md lists what works)");
    return CUDA_ERROR_NOT_SUPPORTED;
  });
}

}  // namespace warpwright::cuda
