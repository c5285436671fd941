// What a routine says of itself: `.pragma "assist on=store priority=low in=address,value";` in its head or body (section 4.2.3: priority,
// trigger conditions, live-in and live-out variables).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"

namespace warpwright::mechanisms::assist_warps {

// Of global memory where it is an access.
// fault: an instruction of the warp would stop the launch.
// request: a part of the SM asks for the routine by its name (sm/assistance.hpp).
// label: a warp comes to an instruction of its own that the program has for the routine there.
// missBelow: the second-level cache did not have a line that a load had missed, which its answer tells.
enum class Trigger : u8 { load, store, atomic, miss, fill, idle, divergence, launch, timer, line, request, fault, missBelow, label };

struct TriggerCondition {
  Trigger trigger{};
  u32 number = 0;    // timer: its period in cycles; line: of the source, or of the PTX where that is unknown
  std::string name;  // label: of the kernel's PTX
};

enum class Priority : u8 {
  high,    // the warp issues nothing until the routine has ended
  normal,  // the scheduler chooses it as it would choose the warp
  low,     // it takes issue slots that no warp takes
};

// What arguments are, in their order: the address that a lane accesses, of a fault within its space of memory; the value that it stores or
// loads, the bytes of its access; where the routine's buffer, and its table, begin in shared memory; a register of the program's PTX; a
// register that is kept for the warp; the line, and the place in the code, of the instruction that triggers.
enum class LiveIn : u8 { address, value, bytes, buffer, table, reg, kept, line, pc };
// What results are: the value that the triggering load has loaded, instead of what memory holds; a number to be counted; what a register of
// the program's PTX is from the line on; what a register that is kept for the warp is for the next instance; what becomes of an instruction
// at fault, a FaultEnd; an address of the host, whose page is to be mapped before it is executed again.
enum class LiveOut : u8 { value, count, reg, kept, resume, map };
enum class FaultEnd : u8 { stop, again, behind };  // the launch stops; the warp executes it again, or goes on behind it
// What of the memory of routines is added up when blocks end, word by word.
enum class Report : u8 { none, buffer, table };

struct Annotation {
  std::vector<TriggerCondition> on;
  Priority priority = Priority::low;
  std::vector<LiveIn> in;
  std::vector<std::string> registers;  // by live-in; of a register of the program or one that is kept; others have no name
  std::vector<LiveOut> out;
  std::vector<std::string> changed;  // by live-out, likewise
  LaneMask lanes = ~LaneMask{};      // active mask; of an access, those of them that access
  bool isSpeculative = true;         // what would be a fault of the program ends the routine
  u32 bufferBytes = 0;               // for each warp; shared with who has asked for it
  u32 tableBytes = 0;                // for each block
  Report report = Report::none;
  std::string group;                 // routines of a group have the same registers, buffer, table and kept registers; empty: it has its own
  std::vector<std::string> kernels;  // empty: of all kernels

  bool namesRegisters() const {
    return std::ranges::find(in, LiveIn::reg) != in.end() || std::ranges::find(out, LiveOut::reg) != out.end();
  }
  // What triggers it is an instruction of its own (isa::Opcode::point).
  bool isAtPoint(const TriggerCondition& condition) const {
    return condition.trigger == Trigger::label || (condition.trigger == Trigger::line && namesRegisters());
  }
};

// Nothing: the pragma is about something else. Throws Error for an annotation that makes no sense; where: of its function.
std::optional<Annotation> parseAnnotation(const std::string& pragma, const SourcePosition& where);

}  // namespace warpwright::mechanisms::assist_warps
