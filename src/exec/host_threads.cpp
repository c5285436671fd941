#include "exec/host_threads.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace warpwright::exec {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t threads() {
  std::error_code failed;
  const fs::directory_iterator all("/proc/self/task", failed);
  return failed ? 1 : std::distance(begin(all), end(all));
}

}  // namespace

bool hostMayWrite(const GlobalMemory& memory, u32 ownThreads) {
  if (threads() <= ownThreads) return false;
  const std::vector<Allocation> live = memory.live();
  const auto isShared = [](const Allocation& each) { return each.kind == AllocationKind::managed || each.kind == AllocationKind::host; };
  return std::any_of(live.begin(), live.end(), isShared);
}

}  // namespace warpwright::exec
