#include "sass/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpwright::sass {
namespace {

// An instruction has 16 bytes from Volta on (Jia and others, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", section
// 2.1).
constexpr u64 kBytes = isa::kInstructionBytes;
// What a machine keeps of the addresses of code for one program (machines/gpu.cpp).
constexpr u64 kMostInstructions = (u64{1} << 24) / kBytes;

struct Extent {
  u64 first = ~u64{0}, last = 0;  // in instructions
};

}  // namespace

u32 Code::numberOf(const InstructionLine& line, const KernelHeader& header, const SourcePosition& where) {
  const auto [found, isNew] = byPc_.try_emplace(line.pc, static_cast<u32>(entries_.size()));
  u32 layer = 0;
  for (u32 number = found->second; !isNew; number = entries_[number].next - 1, ++layer) {
    if (entries_[number].operation == line.operation) return number;
    if (entries_[number].next != 0) continue;
    entries_[number].next = static_cast<u32>(entries_.size()) + 1;
    ++layer;
    break;
  }
  if (line.pc % kBytes != 0)
    throw Error(fmt::format("an instruction at PC {:#x}", line.pc), where,
                "instructions of sm_70 and later have 16 bytes: trace such a GPU");
  entries_.push_back({line.pc, layer, std::string(line.operation), std::string(line.opcode), lower(line, header.smVersion, where), 0});
  return static_cast<u32>(entries_.size()) - 1;
}

Code::Placed Code::place(const SourcePosition& where) const {
  std::map<u32, Extent> layers;
  for (const Known& each : entries_) {
    Extent& extent = layers[each.layer];
    extent.first = std::min(extent.first, each.pc / kBytes);
    extent.last = std::max(extent.last, each.pc / kBytes);
  }
  std::map<u32, u64> beginOf;  // of a layer, less its first instruction
  u64 size = 0;
  for (const auto& [layer, extent] : layers) {
    beginOf[layer] = size - extent.first;
    size += extent.last - extent.first + 1;
    if (size > kMostInstructions)
      throw Error(
          fmt::format("the instructions of the kernel lie {} bytes apart", size * kBytes), where,
          fmt::format("a machine has {} MiB for a program: a PC is damaged, or the kernel is too large", kMostInstructions * kBytes >> 20));
  }
  Placed placed;
  isa::Instruction gap;
  placed.program.assign(size, gap);
  placed.textOf.assign(size, ~u32{0});
  for (u32 number = 0; number < entries_.size(); ++number) {
    const Known& each = entries_[number];
    const Pc pc(static_cast<u32>(beginOf[each.layer] + each.pc / kBytes));
    placed.program[pc] = each.entry.instruction;
    placed.textOf[pc] = number;
    placed.placeOf.push_back(pc);
    placed.texts.push_back(each.operation);
  }
  return placed;
}

}  // namespace warpwright::sass
