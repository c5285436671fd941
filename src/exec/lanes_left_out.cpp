// Host levels that a build leaves out (sanitizers multiply their compile time) are served by the portable one: the sources are the same.
#include "exec/lanes/find.hpp"

namespace warpwright::exec::lanes {

#ifdef WARPWRIGHT_WITHOUT_AVX2
namespace avx2 {
LaneFunction find(const isa::Instruction& instruction, u32 lanes) { return portable::find(instruction, lanes); }
}  // namespace avx2
#endif

#ifdef WARPWRIGHT_WITHOUT_AVX512
namespace avx512 {
LaneFunction find(const isa::Instruction& instruction, u32 lanes) { return portable::find(instruction, lanes); }
}  // namespace avx512
#endif

}  // namespace warpwright::exec::lanes
