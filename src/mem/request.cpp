#include "mem/request.hpp"

#include <array>

namespace warpwright::mem {

std::string_view name(AccessType type) {
  static constexpr std::array<std::string_view, kAccessTypes> kNames = {"global_read",   "global_write", "local_read",       "local_write",
                                                                        "constant_read", "texture_read", "instruction_read", "atomic",
                                                                        "write_back",    "prefetch"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace warpwright::mem
