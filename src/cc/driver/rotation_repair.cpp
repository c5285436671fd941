#include "cc/driver/rotation_repair.hpp"

#include <regex>

namespace warpwright::cc {

std::string repairRotations(std::string ptx) {
  // Names of registers that nothing but this pattern of LLVM declares; the common case costs one search.
  if (ptx.find("%amt2") == std::string::npos) return ptx;
  static const std::regex pattern(R"((\.reg \.u32 %amt2;\s*)(sh[lr]\.b64\s+%lhs, %rd\d+, )(%r\d+)(;\s*)sub\.u32(\s+)%amt2, 64, \3;)");
  return std::regex_replace(ptx, pattern, "$1.reg .u32 %amt1;\n\tand.b32 \t%amt1, $3, 63;\n\t$2%amt1$4sub.u32$5%amt2, 64, %amt1;");
}

}  // namespace warpwright::cc
