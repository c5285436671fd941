// Bodies of the routines, one file a codec. Registers %b: the buffer's address, %l: the lane.
#pragma once

#include <string>

#include "mechanisms/line_compression/routines/layout.hpp"
#include "mechanisms/line_compression/settings.hpp"

namespace warpwright::mechanisms::line_compression::routines {

std::string bdiCompression(u32 lineBytes, BdiOrder order);
// Runs in so many lanes, from the first on.
std::string bdiDecompression(u8 encoding, u32 lineBytes);
u32 bdiLanes(u8 encoding, u32 lineBytes);
std::string fpcCompression(u32 lineBytes, const compression::Variants& variants);
std::string fpcDecompression(u32 lineBytes, const compression::Variants& variants);
std::string cPackCompression(u32 lineBytes, const compression::Variants& variants);
std::string cPackDecompression(u32 lineBytes);

}  // namespace warpwright::mechanisms::line_compression::routines
