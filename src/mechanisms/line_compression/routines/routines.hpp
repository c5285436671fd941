// The codecs as routines of assist warps (sections 5.1.1 to 5.1.6): PTX, a lane for each value or word of a line. Bit for bit what the
// functions of compression/ give.
#pragma once

#include <string>

#include "mechanisms/line_compression/settings.hpp"

namespace warpwright::mechanisms::line_compression::routines {

// A module with all that lines of this size take with these settings: a routine that compresses for each codec, one that makes a line
// whole for each encoding, or those of them that there is a use for. Of all that make lines whole, one is live for a warp at a time, and of
// all that compress. The latter are of the kernels that the settings name.
std::string textOf(const Settings& settings, u32 lineBytes, u32 addressBits);

// Names of their functions.
std::string nameToCompress(compression::Codec codec);
std::string nameToDecompress(u8 encoding);

}  // namespace warpwright::mechanisms::line_compression::routines
