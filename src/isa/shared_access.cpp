#include "isa/shared_access.hpp"

namespace warpwright::isa {
namespace {

s64 valueOf(ThreadSymbol symbol, Dim3 thread, Dim3 block) {
  switch (symbol) {
    case ThreadSymbol::none:
      return 1;
    case ThreadSymbol::tidX:
      return thread.x;
    case ThreadSymbol::tidY:
      return thread.y;
    case ThreadSymbol::tidZ:
      return thread.z;
    case ThreadSymbol::ntidX:
      return block.x;
    case ThreadSymbol::ntidY:
      return block.y;
    case ThreadSymbol::ntidZ:
      return block.z;
  }
  return 1;
}

}  // namespace

s64 offsetOf(const SharedAccess& access, Dim3 thread, Dim3 block) {
  s64 offset = static_cast<s64>(access.base);
  for (const ThreadTerm& term : access.terms) {
    s64 product = term.factor;
    for (const ThreadSymbol symbol : term.symbols) product *= valueOf(symbol, thread, block);
    offset += product;
  }
  return offset;
}

}  // namespace warpwright::isa
