#include "ptx/opcode.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace warpwright::ptx {
namespace {

// In the order of enum Opcode.
constexpr std::array<std::string_view, 82> kNames = {
    "abs",  "activemask", "add",   "addc",    "and",   "atom",     "bar",       "barrier",  "bfe",      "bfi", "bfind", "bmsk",
    "bra",  "brev",       "brkpt", "brx",     "call",  "clz",      "cnot",      "copysign", "cos",      "cvt", "cvta",  "div",
    "dp2a", "dp4a",       "elect", "ex2",     "exit",  "fence",    "fma",       "fns",      "isspacep", "ld",  "ldu",   "lg2",
    "lop3", "mad",        "mad24", "madc",    "match", "max",      "membar",    "min",      "mov",      "mul", "mul24", "nanosleep",
    "neg",  "not",        "or",    "pmevent", "popc",  "prefetch", "prefetchu", "prmt",     "rcp",      "red", "redux", "rem",
    "ret",  "rsqrt",      "sad",   "selp",    "set",   "setp",     "shf",       "shfl",     "shl",      "shr", "sin",   "slct",
    "sqrt", "st",         "sub",   "subc",    "szext", "tanh",     "testp",     "trap",     "vote",     "xor"};
static_assert(kNames.size() == static_cast<std::size_t>(Opcode::xor_) + 1);

}  // namespace

std::string_view name(Opcode opcode) { return kNames[static_cast<std::size_t>(opcode)]; }

std::optional<Opcode> opcodeNamed(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return static_cast<Opcode>(i);
  return std::nullopt;
}

}  // namespace warpwright::ptx
