// The plain single-threaded algorithm.
#pragma once

#include <vector>

namespace workloads {

inline void referenceTranspose(std::vector<float>& out, const std::vector<float>& in, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) out[x * height + y] = in[y * width + x];
}

}  // namespace workloads
