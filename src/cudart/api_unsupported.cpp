// The stubs of every function that the table calls unsupported. They look at no argument, so that one form serves all; for the same
// reason the headers that declare them are not included here, and the error code is a plain int (an enumeration of that size).
namespace warpwright::cudart {

int refuse(const char* function);

}  // namespace warpwright::cudart

#define WW_STUB_full(name)
#define WW_STUB_partial(name)
#define WW_STUB_unsupported(name) \
  extern "C" __attribute__((visibility("default"))) int name() { return warpwright::cudart::refuse(#name); }
#define WW_API(group, name, status, waits, remark) WW_STUB_##status(name)
#include "api.def"
