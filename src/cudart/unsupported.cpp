// What a call that is not supported does: it says once on stderr that the program makes it, and returns cudaErrorNotSupported.
#include <set>
#include <string>

#include "context.hpp"
#include "messages.hpp"

namespace warpwright::cudart {

static_assert(sizeof(cudaError_t) == sizeof(int), "the stubs return the error code as an int");

int refuse(const char* function);

int refuse(const char* function) {
  return call([function](Context&) {
    static std::set<std::string> said;
    if (said.insert(function).second)
      printError(std::string("the program calls ") + function +
                 ", which is not supported: it gets cudaErrorNotSupported (docs/api-functions.md lists what works)");
    return cudaErrorNotSupported;
  });
}

}  // namespace warpwright::cudart
