// The calls that a CUDA device program makes to its environment. Arguments lie in the callee's frame, at the stack pointer:
// parameters from offset 0, then the result, each at its own alignment.
#include <fmt/format.h>

#include <bit>

#include "exec/machine.hpp"
#include "exec/printf_format.hpp"

namespace warpwright::exec {
namespace {

constexpr u64 kLongestText = u64{1} << 20;  // a string without an end is cut here

}  // namespace

u64 Machine::argument(const Issue& issue, u32 lane, u32 offset, u32 bytes) const {
  const u32 stack = issue.warp.state.registers[isa::kStackRegister * lanes_ + lane];
  u64 value = 0;
  if (accessLocalBytes(issue.warp, lane, u64{stack} + offset, bytes, &value, false)) return value;
  fault(site(issue), lane, LaunchStatus::stackOverflow, "the stack is exhausted in a system call", stackRemedy(request_.limits));
}

void Machine::setResult(const Issue& issue, u32 lane, u32 offset, u32 bytes, u64 value) {
  const u32 stack = issue.warp.state.registers[isa::kStackRegister * lanes_ + lane];
  if (accessLocalBytes(issue.warp, lane, u64{stack} + offset, bytes, &value, true)) {
    WrittenMemory* const written = issue.block.written.get();
    if (written) written->local[issue.warp.index].mark(written->placeOf(lane, u64{stack} + offset), bytes);
    return;
  }
  fault(site(issue), lane, LaunchStatus::stackOverflow, "the stack is exhausted in a system call", stackRemedy(request_.limits));
}

std::string Machine::readText(const Issue& issue, u32 lane, u64 address) const {
  std::string text;
  for (char character = 0; text.size() < kLongestText; text += character) {
    if (!readGeneric(issue.block, issue.warp, lane, address + text.size(), 1, &character)) {
      fault(site(issue), lane, LaunchStatus::illegalAddress, fmt::format("string at {:#x} cannot be read", address),
            "pass a zero-terminated string in accessible memory");
    }
    if (character == 0) break;
  }
  return text;
}

void Machine::systemCall(const Issue& issue) {
  ++changes_;
  switch (static_cast<isa::SystemCall>(issue.op.target)) {
    case isa::SystemCall::vprintf:
      return printFormatted(issue);
    case isa::SystemCall::malloc:
      return allocate(issue);
    case isa::SystemCall::free:
      return release(issue);
    case isa::SystemCall::assertfail:
      return assertFailed(issue);
  }
}

// int vprintf(const char* format, void* arguments)
void Machine::printFormatted(const Issue& issue) {
  for (const u32 lane : issue.executing) {
    const std::string format = readText(issue, lane, argument(issue, lane, 0, addressBytes()));
    const u64 buffer = argument(issue, lane, addressBytes(), addressBytes());
    PrintfArguments arguments;
    arguments.pointerBytes = addressBytes();
    arguments.read = [&](u64 offset, u32 bytes, void* to) {
      return readGeneric(issue.block, issue.warp, lane, buffer + offset, bytes, to);
    };
    arguments.text = [&](u64 address, std::string& text) {
      text = readText(issue, lane, address);
      return true;
    };
    const Printed printed = formatPrintf(format, arguments);
    if (request_.host) request_.host->print(printed.text);
    setResult(issue, lane, 2 * addressBytes(), 4, static_cast<u32>(printed.conversions));
  }
}

// void* malloc(size_t)
void Machine::allocate(const Issue& issue) {
  for (const u32 lane : issue.executing) {
    const u64 bytes = argument(issue, lane, 0, addressBytes());
    const u64 heap = request_.limits.heapBytes, used = memory_.heapUsed();
    const bool fits = used <= heap && bytes <= heap - used;
    const auto address = bytes && fits ? memory_.allocate(bytes, AllocationKind::heap, "device heap allocation") : std::nullopt;
    if (races_ && address) races_->forget(*address, bytes);
    if (!fits) {
      warn(issue.pc, fmt::format("malloc in a kernel returned null: the device heap of {} bytes is full; "
                                 "cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) makes it larger",
                                 heap));
    }
    setResult(issue, lane, addressBytes(), addressBytes(), address.value_or(0));
  }
}

// void free(void*)
void Machine::release(const Issue& issue) {
  for (const u32 lane : issue.executing) {
    const u64 address = argument(issue, lane, 0, addressBytes());
    if (address == 0) continue;
    const Allocation* allocation = memory_.find(address, 1);
    const bool fromHeap = allocation && allocation->kind == AllocationKind::heap && allocation->address == address;
    if (fromHeap && memory_.free(address)) continue;
    const std::string nearest = nearestAllocation(memory_, address);
    throw Fault{
        LaunchStatus::illegalAddress,
        report(site(issue), lane, fmt::format("free of {:#x}, which device malloc did not return or which is freed already", address),
               nearest.empty() ? std::vector<std::string>{} : std::vector<std::string>{"address is " + nearest},
               "free what malloc returned, once")};
  }
}

// void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t charSize)
// The line printed is that of the CUDA programming guide, "Assertion".
void Machine::assertFailed(const Issue& issue) {
  const u32 pointer = addressBytes();
  const u32 functionOffset = pointer == 8 ? 24 : 12;
  std::string first;
  for (const u32 lane : issue.executing) {
    const std::string message = readText(issue, lane, argument(issue, lane, 0, pointer));
    const std::string file = readText(issue, lane, argument(issue, lane, pointer, pointer));
    const u64 line = argument(issue, lane, 2 * pointer, 4);
    const std::string function = readText(issue, lane, argument(issue, lane, functionOffset, pointer));
    const u32 thread = threadOf(request_, issue.warp, lane);
    const Dim3 &block = issue.block.position, &shape = request_.launch->block;
    const std::string text =
        fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file, line, function, block.x, block.y,
                    block.z, thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y, message);
    if (request_.host) request_.host->printError(text);
    if (first.empty()) first = fmt::format("assertion `{}` failed at {}:{} in {}", message, file, line, function);
  }
  fault(site(issue), issue.executing.least(), LaunchStatus::assertion, first);
}

}  // namespace warpwright::exec
