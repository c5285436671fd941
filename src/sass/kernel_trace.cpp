#include "sass/kernel_trace.hpp"

#include "sass/trace_player.hpp"

namespace warpwright::sass {

std::unique_ptr<exec::WarpSource> KernelTrace::play(const exec::LaunchRequest& request, SmId) const {
  return std::make_unique<TracePlayer>(shared_from_this(), request);
}

isa::Program programOf(KernelTrace& trace, const std::string& sourceName, const SourcePosition& where) {
  Code::Placed placed = trace.code.place(where);
  trace.placeOf = std::move(placed.placeOf);
  isa::Program program;
  program.sourceName = sourceName;
  program.smVersion = trace.header.smVersion;
  program.code = std::move(placed.program);
  program.ptxText = std::move(placed.texts);
  program.ptxOf = std::move(placed.textOf);
  isa::Function kernel;
  kernel.name = trace.header.name;
  kernel.isKernel = true;
  kernel.end = Pc(static_cast<u32>(program.code.size()));
  kernel.registers = trace.header.registers;
  // Some of what a block has is the system's, and may lie before the kernel's own.
  kernel.sharedBytes = std::max(trace.header.sharedBytes, trace.used.sharedEnd);
  kernel.localBytes = trace.used.localBytes();
  program.functions.push_back(std::move(kernel));
  return program;
}

}  // namespace warpwright::sass
