#include "ptx/opcode.hpp"

#include <cstddef>
#include <iterator>
#include <optional>

namespace warpwright::ptx {
namespace {

// In the order of enum Opcode.
constexpr std::string_view kNames[] = {"abs",        "activemask",
                                       "add",        "addc",
                                       "and",        "applypriority",
                                       "atom",       "bar",
                                       "barrier",    "bfe",
                                       "bfi",        "bfind",
                                       "bmsk",       "bra",
                                       "brev",       "brkpt",
                                       "brx",        "call",
                                       "clz",        "cnot",
                                       "copysign",   "cos",
                                       "cp",         "createpolicy",
                                       "cvt",        "cvta",
                                       "discard",    "div",
                                       "dp2a",       "dp4a",
                                       "elect",      "ex2",
                                       "exit",       "fence",
                                       "fma",        "fns",
                                       "getctarank", "griddepcontrol",
                                       "isspacep",   "ld",
                                       "ldmatrix",   "ldu",
                                       "lg2",        "lop3",
                                       "mad",        "mad24",
                                       "madc",       "mapa",
                                       "match",      "max",
                                       "mbarrier",   "membar",
                                       "min",        "mma",
                                       "mov",        "movmatrix",
                                       "mul",        "mul24",
                                       "nanosleep",  "neg",
                                       "not",        "or",
                                       "pmevent",    "popc",
                                       "prefetch",   "prefetchu",
                                       "prmt",       "rcp",
                                       "red",        "redux",
                                       "rem",        "ret",
                                       "rsqrt",      "sad",
                                       "selp",       "set",
                                       "setmaxnreg", "setp",
                                       "shf",        "shfl",
                                       "shl",        "shr",
                                       "sin",        "slct",
                                       "sqrt",       "st",
                                       "stmatrix",   "sub",
                                       "subc",       "suld",
                                       "suq",        "sured",
                                       "sust",       "szext",
                                       "tanh",       "tensormap",
                                       "testp",      "tex",
                                       "tld4",       "trap",
                                       "txq",        "vabsdiff",
                                       "vabsdiff2",  "vabsdiff4",
                                       "vadd",       "vadd2",
                                       "vadd4",      "vavrg2",
                                       "vavrg4",     "vmad",
                                       "vmax",       "vmax2",
                                       "vmax4",      "vmin",
                                       "vmin2",      "vmin4",
                                       "vote",       "vset",
                                       "vset2",      "vset4",
                                       "vshl",       "vshr",
                                       "vsub",       "vsub2",
                                       "vsub4",      "wgmma",
                                       "wmma",       "xor"};
static_assert(std::size(kNames) == static_cast<std::size_t>(Opcode::xor_) + 1);

}  // namespace

std::string_view name(Opcode opcode) { return kNames[static_cast<std::size_t>(opcode)]; }

std::optional<Opcode> opcodeNamed(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == text) return static_cast<Opcode>(i);
  return std::nullopt;
}

}  // namespace warpwright::ptx
