// The calls that a CUDA device program makes to its environment. Arguments lie in the callee's frame, at the stack pointer:
// parameters from offset 0, then the result, each at its own alignment.
#include "exec/operations/system_calls.hpp"

#include <fmt/format.h>

#include <bit>

#include "exec/operations/access.hpp"
#include "exec/printf_format.hpp"

namespace warpwright::exec {
namespace {

constexpr u64 kLongestText = u64{1} << 20;  // a string without an end is cut here

u64 argument(const Grid& grid, const Issue& issue, LaneId lane, u32 offset, u32 bytes) {
  const u32 stack = issue.warp.state.registers[isa::kStackRegister * grid.lanes + lane];
  u64 value = 0;
  if (accessLocalBytes(grid, issue.warp, lane, u64{stack} + offset, bytes, &value, false)) return value;
  fault(site(grid, issue), lane, LaunchStatus::stackOverflow, "the stack is exhausted in a system call", stackRemedy(grid.request.limits));
}

void setResult(Grid& grid, const Issue& issue, LaneId lane, u32 offset, u32 bytes, u64 value) {
  const u32 stack = issue.warp.state.registers[isa::kStackRegister * grid.lanes + lane];
  if (accessLocalBytes(grid, issue.warp, lane, u64{stack} + offset, bytes, &value, true)) {
    WrittenMemory* const written = issue.block.written.get();
    if (written) written->local[issue.warp.index].mark(written->byteOf(lane, u64{stack} + offset), bytes);
    return;
  }
  fault(site(grid, issue), lane, LaunchStatus::stackOverflow, "the stack is exhausted in a system call", stackRemedy(grid.request.limits));
}

std::string readText(const Grid& grid, const Issue& issue, LaneId lane, u64 address) {
  std::string text;
  for (char character = 0; text.size() < kLongestText; text += character) {
    if (!readGeneric(grid, issue.block, issue.warp, lane, address + text.size(), 1, &character)) {
      fault(site(grid, issue), lane, LaunchStatus::illegalAddress, fmt::format("string at {:#x} cannot be read", address),
            "pass a zero-terminated string in accessible memory");
    }
    if (character == 0) break;
  }
  return text;
}

// int vprintf(const char* format, void* arguments)
void printFormatted(Grid& grid, const Issue& issue) {
  for (const LaneId lane : issue.executing) {
    const std::string format = readText(grid, issue, lane, argument(grid, issue, lane, 0, addressBytes(grid)));
    const u64 buffer = argument(grid, issue, lane, addressBytes(grid), addressBytes(grid));
    PrintfArguments arguments;
    arguments.pointerBytes = addressBytes(grid);
    arguments.read = [&](u64 offset, u32 bytes, void* to) {
      return readGeneric(grid, issue.block, issue.warp, lane, buffer + offset, bytes, to);
    };
    arguments.text = [&](u64 address, std::string& text) {
      text = readText(grid, issue, lane, address);
      return true;
    };
    const Printed printed = formatPrintf(format, arguments);
    if (grid.request.host) grid.request.host->print(printed.text);
    setResult(grid, issue, lane, 2 * addressBytes(grid), 4, static_cast<u32>(printed.conversions));
  }
}

// void* malloc(size_t)
void allocate(Grid& grid, const Issue& issue) {
  for (const LaneId lane : issue.executing) {
    const u64 bytes = argument(grid, issue, lane, 0, addressBytes(grid));
    const u64 heap = grid.request.limits.heapBytes, used = grid.memory.heapUsed();
    const bool fits = used <= heap && bytes <= heap - used;
    const auto address = bytes && fits ? grid.memory.allocate(bytes, AllocationKind::heap, "device heap allocation") : std::nullopt;
    if (grid.races && address) grid.races->forget(*address, bytes);
    if (!fits) {
      warn(grid, issue.pc,
           fmt::format("malloc in a kernel returned null: the device heap of {} bytes is full; "
                       "cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) makes it larger",
                       heap));
    }
    setResult(grid, issue, lane, addressBytes(grid), addressBytes(grid), address.value_or(GlobalAddress{}));
  }
}

// void free(void*)
void release(Grid& grid, const Issue& issue) {
  for (const LaneId lane : issue.executing) {
    const GlobalAddress address(argument(grid, issue, lane, 0, addressBytes(grid)));
    if (address == 0) continue;
    const Allocation* allocation = grid.memory.find(address, 1);
    const bool fromHeap = allocation && allocation->kind == AllocationKind::heap && allocation->address == address;
    if (fromHeap && grid.memory.free(address)) continue;
    const std::string nearest = nearestAllocation(grid.memory, address);
    throw Fault{LaunchStatus::illegalAddress,
                report(site(grid, issue), lane,
                       fmt::format("free of {:#x}, which device malloc did not return or which is freed already", u64{address}),
                       nearest.empty() ? std::vector<std::string>{} : std::vector<std::string>{"address is " + nearest},
                       "free what malloc returned, once"),
                lane};
  }
}

// void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t charSize)
// The line printed is that of the CUDA programming guide, "Assertion".
void assertFailed(Grid& grid, const Issue& issue) {
  const u32 pointer = addressBytes(grid);
  const u32 functionOffset = pointer == 8 ? 24 : 12;
  std::string first;
  for (const LaneId lane : issue.executing) {
    const std::string message = readText(grid, issue, lane, argument(grid, issue, lane, 0, pointer));
    const std::string file = readText(grid, issue, lane, argument(grid, issue, lane, pointer, pointer));
    const u64 line = argument(grid, issue, lane, 2 * pointer, 4);
    const std::string function = readText(grid, issue, lane, argument(grid, issue, lane, functionOffset, pointer));
    const u32 thread = threadOf(grid.request, issue.warp, lane);
    const Dim3 &block = issue.block.position, &shape = grid.request.launch->block;
    const std::string text =
        fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file, line, function, block.x, block.y,
                    block.z, thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y, message);
    if (grid.request.host) grid.request.host->printError(text);
    if (first.empty()) first = fmt::format("assertion `{}` failed at {}:{} in {}", message, file, line, function);
  }
  fault(site(grid, issue), issue.executing.least(), LaunchStatus::assertion, first);
}

}  // namespace

void systemCall(Grid& grid, const Issue& issue) {
  ++grid.progress.changes;
  switch (static_cast<isa::SystemCall>(issue.op.target)) {
    case isa::SystemCall::vprintf:
      return printFormatted(grid, issue);
    case isa::SystemCall::malloc:
      return allocate(grid, issue);
    case isa::SystemCall::free:
      return release(grid, issue);
    case isa::SystemCall::assertfail:
      return assertFailed(grid, issue);
  }
}

}  // namespace warpwright::exec
