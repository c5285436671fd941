// What the codecs' designs have in common: ports, lines to try, models.
#pragma once

#include "compression/codec.hpp"
#include "rtl/design.hpp"

namespace warpwright::rtl {

std::vector<Parameter> lineParameter();
u32 lineBytesOf(const Values& values);

// Ports: the line; the compressed line, 0 behind its end, its bytes, and whether it is compressed at all.
Module compressorPorts(std::string name, u32 lineBytes);
Module decompressorPorts(std::string name, u32 lineBytes);

Package compressorPackage(compression::Codec codec, std::vector<Module> modules, u32 lineBytes);
Package decompressorPackage(compression::Codec codec, std::vector<Module> modules, u32 lineBytes);

}  // namespace warpwright::rtl
