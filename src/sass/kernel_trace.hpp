// A kernel's trace: what each warp executed, and where it accessed memory.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exec/warp_source.hpp"
#include "isa/program.hpp"
#include "sass/address_store.hpp"
#include "sass/code.hpp"
#include "sass/windows.hpp"

namespace warpwright::sass {

struct WarpStep {
  static constexpr u32 kNoAddresses = ~u32{0};
  u32 code = 0;  // number of the instruction
  u32 mask = 0;  // of the lanes that execute it
  u32 addresses = kNoAddresses;
};

// A warp's steps, and how many of them are at barriers of its block.
struct WarpRange {
  u64 begin = 0, end = 0;
  u32 barriers = 0;
};

class KernelTrace final : public exec::RecordedLaunch, public std::enable_shared_from_this<KernelTrace> {
 public:
  KernelHeader header;
  Code code;
  std::vector<Pc> placeOf;  // by number of the instruction
  std::vector<WarpStep> steps;
  std::vector<WarpRange> warps;  // of one block behind those of another, in the order of the trace
  std::vector<u64> firstWarpOf;  // by block: where its warps begin
  AddressStore addresses;
  UsedMemory used;
  // Warp instructions, by opcode, that access memory where the trace does not say.
  std::map<std::string, u64> withoutAddresses;

  std::span<const WarpRange> warpsOf(u64 block) const { return std::span(warps).subspan(firstWarpOf[block], header.warps()); }
  std::unique_ptr<exec::WarpSource> play(const exec::LaunchRequest& request, SmId sm) const override;
};

// The code as a program with one kernel; sourceName: for reports. Throws Error.
isa::Program programOf(KernelTrace& trace, const std::string& sourceName, const SourcePosition& where);

}  // namespace warpwright::sass
