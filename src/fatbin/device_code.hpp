// Device code in files: programs, object files, archives, fat binaries and PTX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fatbin/container.hpp"

namespace warpwright::fatbin {

// Every container in a file with these contents: an ELF file (sections .nv_fatbin and __nv_relfatbin), an archive of such, a fat binary
// or PTX text; empty for an ELF file or archive without device code. Views of the bytes are kept. Throws Error for anything else, NoPtx for
// machine code (a cubin).
std::vector<Container> fileContainers(std::string_view bytes, const std::string& name);

}  // namespace warpwright::fatbin
