#include "sass/instruction_line.hpp"

#include <fmt/format.h>

#include <bit>

namespace warpwright::sass {
namespace {

// Lines of version 3 and later stand below their block and warp, and do not name them.
constexpr u32 kFirstWithoutPlace = 3;

void parseRegisters(Fields& fields, std::string_view what, RegisterList& into) {
  into.count = static_cast<u32>(fields.decimal(fmt::format("the number of {}", what), RegisterList::kMost));
  for (u32 i = 0; i < into.count; ++i) into.numbers[i] = fields.registerNumber("a register");
}

// Differences wrap as addresses do.
s64 difference(u64 address, u64 before) { return static_cast<s64>(address - before); }

void parseList(Fields& fields, u32 count, InstructionLine& into) {
  if (count == 0) return;
  u64 last = into.first = fields.hexadecimal("an address");
  for (u32 i = 1; i < count; ++i) {
    const u64 address = fields.hexadecimal("an address");
    into.deltas[i - 1] = difference(address, last);
    last = address;
  }
}

void parseDeltas(Fields& fields, u32 count, InstructionLine& into) {
  into.first = fields.hexadecimal("an address");
  for (u32 i = 1; i < count; ++i) into.deltas[i - 1] = fields.integer("the difference of two addresses");
}

void parseAddresses(Fields& fields, InstructionLine& into) {
  constexpr u64 kMostBytes = 16;
  into.hasAddresses = fields.decimal("the bytes of a lane", kMostBytes) != 0;
  if (!into.hasAddresses) return;
  const u32 count = static_cast<u32>(std::popcount(into.mask));
  const u64 mode = fields.decimal("the form of the addresses");
  if (mode > static_cast<u64>(AddressMode::deltas))
    fields.fail(fmt::format("addresses in form {}", mode), "forms 0, 1 and 2 can be read: trace with version 3 to 5 of Accel-Sim's tracer");
  into.mode = static_cast<AddressMode>(mode);
  switch (into.mode) {
    case AddressMode::list:
      return parseList(fields, count, into);
    case AddressMode::stride:
      into.first = fields.hexadecimal("an address");
      into.stride = fields.integer("the distance of two addresses");
      return;
    case AddressMode::deltas:
      return parseDeltas(fields, count, into);
  }
}

}  // namespace

void parseInstruction(std::string_view text, const KernelHeader& header, const SourcePosition& where, InstructionLine& into) {
  constexpr u64 kMostWord = ~u32{0};
  Fields fields(text, where);
  if (header.tracerVersion < kFirstWithoutPlace)
    for (const char* what : {"the block's x", "the block's y", "the block's z", "the warp"}) fields.decimal(what);
  into.sourceLine = header.hasLines ? static_cast<u32>(fields.decimal("the line in the source", kMostWord)) : 0;
  into.pc = fields.hexadecimal("the PC", kMostWord);
  into.mask = static_cast<u32>(fields.hexadecimal("the mask of lanes", kMostWord));
  const std::size_t begin = fields.nextBegin();
  parseRegisters(fields, "registers that it writes", into.destinations);
  into.opcode = fields.word("the opcode");
  parseRegisters(fields, "registers that it reads", into.sources);
  into.operation = text.substr(begin, fields.lastEnd() - begin);
  parseAddresses(fields, into);
  if (!fields.atEnd()) fields.integer("the immediate");
  if (!fields.atEnd()) {
    const std::string_view more = fields.word("the end");
    fields.fail(fmt::format("'{}' behind the instruction", more), "the mask and the addresses do not fit, or the line is damaged");
  }
}

}  // namespace warpwright::sass
