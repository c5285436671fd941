// A correction of the PTX that clang writes for relocatable device code.
#pragma once

#include <string>

namespace warpwright::cc {

// A static __device__ variable that the host uses is defined as NAME__static__ID, a name that no other unit has. Where device code comes
// before that use in the source, clang (seen with 14) writes plain NAME there and declares it extern. This puts the definition's name in
// those places and takes the declaration out.
std::string repairStaticNames(std::string ptx);

}  // namespace warpwright::cc
