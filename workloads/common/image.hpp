// Grey-scale pictures with the statistics of photographs: the dead leaves of Lee, Mumford and Huang ("Occlusion models for natural images",
// International Journal of Computer Vision 2001). Objects cover each other; how many have a radius falls with its cube, so that a picture
// looks alike at every scale and its amplitudes fall with frequency as those of photographs do (Field, Journal of the Optical Society of
// America A, 1987). A lens softens the edges, and a sensor adds noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.hpp"

namespace workloads {

namespace detail {

constexpr float kSmallestLeaf = 1.0f;                          // pixels of radius: the authors' leaves, too, end near a pixel
constexpr float kMeanLevel = 118.0f, kLevelDeviation = 45.0f;  // of objects: a picture well exposed
constexpr float kSensorNoise = 1.5f;                           // levels
constexpr float kBare = -1.0f;

// A disc. Paints what is bare of it, and returns how many pixels that were.
inline size_t paintLeaf(std::vector<float>& image, int width, int height, float column, float row, float radius, float level) {
  size_t painted = 0;
  const int top = std::max(0, int(std::ceil(row - radius))), bottom = std::min(height - 1, int(std::floor(row + radius)));
  for (int y = top; y <= bottom; ++y) {
    const float half = std::sqrt(std::max(0.0f, radius * radius - (float(y) - row) * (float(y) - row)));
    const int left = std::max(0, int(std::ceil(column - half))), right = std::min(width - 1, int(std::floor(column + half)));
    for (int x = left; x <= right; ++x) {
      float& pixel = image[size_t(y) * width + x];
      if (pixel != kBare) continue;
      pixel = level;
      ++painted;
    }
  }
  return painted;
}

// One way along the lines of a picture: pixels `step` apart are neighbours. What a lens and pixels that have a size do to edges.
inline void soften(std::vector<float>& image, size_t line, size_t lines, size_t count, size_t step) {
  for (size_t first = 0; first < lines * line; first += line) {
    float before = image[first];
    for (size_t i = 0; i < count; ++i) {
      float& pixel = image[first + i * step];
      const float after = i + 1 < count ? image[first + (i + 1) * step] : pixel;
      const float own = pixel;
      pixel = 0.25f * (before + 2.0f * own + after);
      before = own;
    }
  }
}

}  // namespace detail

// Row by row; whole numbers from 0 to 255. The leaf in front is drawn first, and others until nothing is bare.
inline std::vector<float> makeImage(int width, int height, Random& random) {
  std::vector<float> image(size_t(width) * height, detail::kBare);
  const float largest = std::max(2.0f * detail::kSmallestLeaf, 0.25f * float(std::min(width, height)));
  const float most = 1.0f / (detail::kSmallestLeaf * detail::kSmallestLeaf), least = 1.0f / (largest * largest);
  for (size_t bare = image.size(); bare != 0;) {
    const float radius = 1.0f / std::sqrt(random.uniform(least, most));
    const float column = random.uniform(-largest, float(width) + largest), row = random.uniform(-largest, float(height) + largest);
    const float level = std::clamp(detail::kMeanLevel + detail::kLevelDeviation * random.normal(), 0.0f, 255.0f);
    bare -= detail::paintLeaf(image, width, height, column, row, radius, level);
  }
  detail::soften(image, width, height, width, 1);
  detail::soften(image, 1, width, height, width);
  for (float& pixel : image) pixel = std::clamp(std::round(pixel + detail::kSensorNoise * random.normal()), 0.0f, 255.0f);
  return image;
}

}  // namespace workloads
