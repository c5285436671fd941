// Functions by name, as cuGetProcAddress hands them out.
#pragma once

#include <string_view>

namespace warpwright::cuda {

struct EntryPoint {
  std::string_view name;
  int since = 0;  // release of CUDA
  void* address = nullptr;
};

enum class DefaultStream { legacy, perThread };

// Of the forms of `name` (with or without _vN) the newest one that is no newer than the release, for that default stream where it makes a
// difference; null address when there is none. `tooNew` is set when there are newer forms only.
EntryPoint findEntryPoint(std::string_view name, int release, DefaultStream stream, bool& tooNew);

}  // namespace warpwright::cuda
