// The stubs of every function that the table calls unsupported. They look at no argument, so that one form serves all; for the same
// reason the header that declares them is not included here, and the result is a plain int (an enumeration of that size).
namespace warpwright::cuda {

int refuse(const char* function);

}  // namespace warpwright::cuda

#define WW_STUB_full(name)
#define WW_STUB_partial(name)
#define WW_STUB_unsupported(name) \
  extern "C" __attribute__((visibility("default"))) int name() { return warpwright::cuda::refuse(#name); }
#define WW_DRIVER(group, name, since, status, waits, remark) WW_STUB_##status(name)
#include "driver.def"
