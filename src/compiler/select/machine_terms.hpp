// Enumerations that PTX and the machine have member by member. Neither room may know the other, so each has its own list, and here is the
// one place where a member of one becomes that of the other.
#pragma once

#include "isa/instruction.hpp"
#include "ptx/instruction.hpp"
#include "ptx/special_register.hpp"

namespace warpwright::compiler {

isa::BoolOp machineTerm(ptx::BoolOp operation);
isa::AtomicOp machineTerm(ptx::AtomicOp operation);
isa::CacheOp machineTerm(ptx::CacheOp operation);
isa::PermuteMode machineTerm(ptx::PrmtMode mode);
isa::VideoSecond machineTerm(ptx::Accumulate operation);
isa::Geometry machineTerm(ptx::Geometry geometry);
isa::SurfaceBoundary machineTerm(ptx::SurfaceBoundary boundary);
isa::TextureQuery machineTerm(ptx::TextureQuery query);
isa::MatrixElement machineTerm(ptx::MatrixElement element);
// Performance monitors read as zero.
isa::SpecialRegister machineTerm(ptx::SpecialRegister special);

}  // namespace warpwright::compiler
