#include "exec/fault.hpp"

#include <fmt/format.h>

#include "base/demangle.hpp"
#include "exec/location.hpp"

namespace warpwright::exec {
namespace {

const char* verb(BadAccess::Kind kind) {
  switch (kind) {
    case BadAccess::Kind::load:
      return "load";
    case BadAccess::Kind::store:
      return "store";
    default:
      return "atomic operation";
  }
}

const char* spaceName(isa::Space space) {
  switch (space) {
    case isa::Space::shared:
      return "shared";
    case isa::Space::local:
      return "local";
    case isa::Space::constant:
      return "constant";
    case isa::Space::param:
      return "parameter";
    default:
      return "global";
  }
}

std::string accessText(const BadAccess& access) {
  return fmt::format("{} of {} byte{} at {} address {:#x}", verb(access.kind), access.bytes, access.bytes == 1 ? "" : "s",
                     spaceName(access.space), access.address);
}

std::vector<std::string> whereabouts(const BadAccess& access, const GlobalMemory& memory) {
  if (access.space != isa::Space::global) return {fmt::format("{} memory has {} bytes here", spaceName(access.space), access.spaceBytes)};
  if (const GlobalMemory* const other = memory.otherWith(GlobalAddress(access.address)))
    return {"address is in the memory of another device: " + nearestAllocation(*other, GlobalAddress(access.address))};
  const std::string nearest = nearestAllocation(memory, GlobalAddress(access.address));
  return {nearest.empty() ? std::string("nothing is allocated") : "address is " + nearest};
}

// Whose code it is: the kernel's, or that of a routine beside a warp of it.
std::string whose(const FaultSite& site) {
  std::string kernel = fmt::format("kernel '{}'", demangled(site.request.launch->kernel->name));
  if (!site.warp.isHelper) return kernel;
  const isa::Function* const routine = site.request.launch->program->program.functionAt(site.pc);
  return fmt::format("the routine '{}', beside a warp of {}", routine != nullptr ? demangled(routine->name) : "", kernel);
}

constexpr const char* kRoutineRemedy =
    "the program is not at fault: mend the routine, or let it be speculative, so that what it does wrong has no effect";

std::string remedyFor(const BadAccess& access, const GlobalMemory& memory) {
  if (access.space == isa::Space::shared) return "check the index, or ask for more shared memory at the launch";
  if (access.space == isa::Space::local) return "check the index into the thread's array, or the depth of recursion";
  if (access.space != isa::Space::global) return "check the index";
  if (memory.otherWith(GlobalAddress(access.address)))
    return "kernels reach the memory of their own device: copy it there (cudaMemcpyPeer), or allocate managed memory";
  if (access.address < 0x1000) return "the pointer is null or nearly so: check that it was allocated and passed to the kernel";
  const Allocation* nearest = memory.nearest(GlobalAddress(access.address));
  if (nearest && nearest->freed && nearest->contains(GlobalAddress(access.address), 1)) return "free the memory after its last use";
  constexpr u64 kFar = u64{1} << 30;
  const bool isFar = !nearest || nearest->address > access.address + kFar || access.address > nearest->end() + kFar;
  if (isFar) {
    return "check that the pointer comes from a device allocation; memory of the host must be copied, managed or registered";
  }
  return "check the index against the size of the allocation";
}

}  // namespace

u32 threadOf(const LaunchRequest& request, const Warp& warp, LaneId lane) { return warp.index * request.limits.warpSize + lane; }

std::string threadText(const LaunchRequest& request, const Block& block, u32 thread) {
  const Dim3& shape = request.launch->block;
  return fmt::format("block ({},{},{}), thread ({},{},{})", block.position.x, block.position.y, block.position.z, thread % shape.x,
                     thread / shape.x % shape.y, thread / shape.x / shape.y);
}

std::string report(const FaultSite& site, LaneId lane, const std::string& what, const std::vector<std::string>& notes,
                   const std::string& remedy) {
  const isa::Program& program = site.request.launch->program->program;
  std::string text = fmt::format("{}: {}\n  at {}", whose(site), what, locationOf(program, site.pc));
  const std::string ptx = ptxOf(program, site.pc);
  if (!ptx.empty()) text += fmt::format(": {}", ptx);
  text += fmt::format("\n  {}", threadText(site.request, site.block, threadOf(site.request, site.warp, lane)));
  for (const std::string& note : notes) text += "\n  " + note;
  const std::string useful = site.warp.isHelper ? kRoutineRemedy : remedy;
  if (!useful.empty()) text += "\n  remedy: " + useful;
  return text;
}

std::string nearestAllocation(const GlobalMemory& memory, GlobalAddress address) {
  const Allocation* nearest = memory.nearest(address);
  if (!nearest) return {};
  const char* state = nearest->freed ? "freed " : "";
  const std::string name = fmt::format("{}{} [{:#x}, {} bytes]", state, nearest->label, u64{nearest->address}, nearest->size);
  if (address < nearest->address) return fmt::format("{} bytes before {}", nearest->address - address, name);
  if (address >= nearest->end()) return fmt::format("{} bytes past the end of {}", address - nearest->end(), name);
  return fmt::format("{} bytes into {}", address - nearest->address, name);
}

std::string stackRemedy(const MachineLimits& limits) {
  const u64 most = limits.mostLocalBytesPerThread;
  if (limits.localBytesPerThread >= most) return "end the recursion earlier: no thread of this machine can have more";
  return fmt::format("end the recursion earlier, or raise the limit: cudaDeviceSetLimit(cudaLimitStackSize, bytes), at most {}", most);
}

void fault(const FaultSite& site, LaneId lane, LaunchStatus status, const std::string& what, const std::string& remedy) {
  throw Fault{status, report(site, lane, what, {}, remedy), lane};
}

Fault outOfBounds(const FaultSite& site, LaneId lane, const BadAccess& access, const GlobalMemory& memory) {
  const Allocation* nearest = access.space == isa::Space::global ? memory.nearest(GlobalAddress(access.address)) : nullptr;
  const bool freed = nearest && nearest->freed && nearest->contains(GlobalAddress(access.address), 1);
  return Fault{LaunchStatus::illegalAddress,
               report(site, lane, accessText(access) + (freed ? " uses freed memory" : " is out of bounds"), whereabouts(access, memory),
                      remedyFor(access, memory)),
               lane, access.address};
}

void faultMisaligned(const FaultSite& site, LaneId lane, const BadAccess& access, const GlobalMemory& memory) {
  const std::string what = fmt::format("{} is misaligned: the address must be a multiple of {}", accessText(access), access.bytes);
  // How large a space is says nothing about alignment.
  const bool isGlobal = access.space == isa::Space::global;
  throw Fault{LaunchStatus::misalignedAddress,
              report(site, lane, what, isGlobal ? whereabouts(access, memory) : std::vector<std::string>{},
                     "check the alignment of the pointer before it is cast to a wider type"),
              lane, access.address};
}

Fault uninitialised(const FaultSite& site, LaneId lane, const BadAccess& access, const GlobalMemory& memory) {
  return Fault{LaunchStatus::useOfUninitialised,
               report(site, lane, accessText(access) + " reads memory that was never written", whereabouts(access, memory),
                      access.space == isa::Space::global ? "initialise the allocation before the kernel reads it"
                                                         : "write it before it is read: its contents are undefined when a block begins"),
               lane, access.address};
}

}  // namespace warpwright::exec
