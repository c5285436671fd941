#include "entry_points.hpp"

// Declared without arguments, as only the addresses are wanted: cuda.h is not included here.
#define WW_DRIVER(group, name, since, status, waits, remark) extern "C" int name();
#include "driver.def"
#define WW_DRIVER_PER_THREAD(function, suffix) extern "C" int function##suffix();
#include "per_thread.def"

namespace warpwright::cuda {
namespace {

const EntryPoint kEntryPoints[] = {
#define WW_DRIVER(group, name, since, status, waits, remark) {#name, since, reinterpret_cast<void*>(name)},
#include "driver.def"
};

// By the name of the form for the legacy default stream.
const EntryPoint kPerThreadForms[] = {
#define WW_DRIVER_PER_THREAD(function, suffix) {#function, 0, reinterpret_cast<void*>(function##suffix)},
#include "per_thread.def"
};

std::string_view withoutVersion(std::string_view name) {
  const auto at = name.rfind("_v");
  const bool versioned = at != std::string_view::npos && at + 3 == name.size() && name[at + 2] >= '2' && name[at + 2] <= '9';
  return versioned ? name.substr(0, at) : name;
}

}  // namespace

EntryPoint findEntryPoint(std::string_view name, int release, DefaultStream stream, bool& tooNew) {
  EntryPoint best;
  tooNew = false;
  for (const EntryPoint& candidate : kEntryPoints) {
    if (candidate.name != name && withoutVersion(candidate.name) != name) continue;
    if (candidate.since > release)
      tooNew = true;
    else if (!best.address || candidate.since >= best.since)
      best = candidate;
  }
  tooNew = tooNew && !best.address;
  if (stream == DefaultStream::legacy) return best;
  for (const EntryPoint& form : kPerThreadForms)
    if (form.name == best.name) best.address = form.address;
  return best;
}

}  // namespace warpwright::cuda
