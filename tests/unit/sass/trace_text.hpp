// Traces for tests: a header, and blocks of warps.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace warpwright::sass {

struct HeaderText {
  std::string grid = "(1,1,1)", block = "(32,1,1)";
  u32 shared = 0, smVersion = 70, version = 3;
  std::string more{};

  std::string text() const {
    return fmt::format(
        "-kernel name = k\n-kernel id = 1\n-grid dim = {}\n-block dim = {}\n-shmem = {}\n-nregs = 16\n-binary version = {}\n"
        "-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007e0000000000\n"
        "-nvbit version = 1.5.5\n-accelsim tracer version = {}\n{}\n#traces format = …\n\n",
        grid, block, shared, smVersion, version, more);
  }
};

using WarpLines = std::vector<std::string>;

inline std::string blockText(const std::string& place, const std::vector<WarpLines>& warps) {
  std::string text = fmt::format("#BEGIN_TB\n\nthread block = {}\n", place);
  for (std::size_t warp = 0; warp < warps.size(); ++warp) {
    text += fmt::format("\nwarp = {}\ninsts = {}\n", warp, warps[warp].size());
    for (const std::string& line : warps[warp]) text += line + " \n";
  }
  return text + "\n#END_TB\n";
}

// Of one block with one warp.
inline std::string traceText(const WarpLines& lines, const HeaderText& header = {}) { return header.text() + blockText("0,0,0", {lines}); }

}  // namespace warpwright::sass
