// Grey-scale pictures with what photographs have: uneven light, objects with edges, and the noise of a sensor.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.hpp"

namespace workloads {

// Row by row; whole numbers from 0 to 255.
inline std::vector<float> makeImage(int width, int height, Random& random) {
  std::vector<float> image(size_t(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image[size_t(y) * width + x] = 60.0f + 80.0f * float(x + y) / float(width + height);
  for (int object = 0; object < 40; ++object) {
    const int left = random.below(width), top = random.below(height);
    const int right = std::min<int>(width, left + 1 + random.below(width / 4));
    const int bottom = std::min<int>(height, top + 1 + random.below(height / 4));
    const float brightness = random.uniform(-60.0f, 60.0f);
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) image[size_t(y) * width + x] += brightness;
  }
  for (float& pixel : image) pixel = std::clamp(std::round(pixel + random.uniform(-4.0f, 4.0f)), 0.0f, 255.0f);
  return image;
}

}  // namespace workloads
