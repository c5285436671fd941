#include "../../../workloads/common/image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace {

using workloads::makeImage;
using workloads::Random;

constexpr int kSide = 128;

std::vector<double> faded(const std::vector<float>& image) {
  double mean = 0;
  for (const float pixel : image) mean += pixel / double(image.size());
  const auto window = [](int i) { return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (i + 0.5) / kSide); };
  std::vector<double> result;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) result.push_back((image[size_t(y) * kSide + x] - mean) * window(y) * window(x));
  return result;
}

// Of the two-dimensional transform: the power at (column, row).
class Spectrum {
 public:
  explicit Spectrum(const std::vector<double>& image) : rows_(image.size()) {
    for (int i = 0; i < kSide; ++i) roots_.push_back(std::polar(1.0, -2 * std::numbers::pi * i / kSide));
    for (int y = 0; y < kSide; ++y)
      for (int column = 0; column < kSide; ++column)
        for (int x = 0; x < kSide; ++x) rows_[size_t(y) * kSide + column] += image[size_t(y) * kSide + x] * roots_[column * x % kSide];
  }
  double power(int column, int row) const {
    std::complex<double> sum = 0;
    for (int y = 0; y < kSide; ++y) sum += rows_[size_t(y) * kSide + column] * roots_[row * y % kSide];
    return std::norm(sum);
  }

 private:
  std::vector<std::complex<double>> roots_, rows_;
};

// How the amplitude falls with frequency, in all directions together: the slope on logarithmic scales, up to half of the finest frequency.
double slopeOfAmplitudes(const std::vector<float>& image) {
  constexpr int kFirst = 3, kLast = kSide / 4;
  std::vector<double> power(kLast + 1), count(kLast + 1);
  const Spectrum spectrum(faded(image));
  for (int column = 0; column < kSide; ++column)
    for (int row = 0; row < kSide; ++row) {
      const long frequency = std::lround(std::hypot(std::min(column, kSide - column), std::min(row, kSide - row)));
      if (frequency < kFirst || frequency > kLast) continue;
      power[frequency] += spectrum.power(column, row);
      count[frequency] += 1;
    }
  double x = 0, y = 0, xx = 0, xy = 0;
  const double points = kLast - kFirst + 1;
  for (int frequency = kFirst; frequency <= kLast; ++frequency) {
    const double position = std::log(frequency), value = 0.5 * std::log(power[frequency] / count[frequency]);
    x += position, y += value, xx += position * position, xy += position * value;
  }
  return (points * xy - x * y) / (points * xx - x * x);
}

// Field 1987: amplitudes of photographs fall with frequency as 1 / f. Single ones have slopes of -0.7 to -1.5 (Tolhurst, Tadmor, Chao
// 1992).
TEST(Image, AmplitudesFallAsThoseOfPhotographs) {
  double mean = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    mean += slopeOfAmplitudes(makeImage(kSide, kSide, random)) / 4;
  }
  EXPECT_NEAR(mean, -1.0, 0.2);
}

TEST(Image, HasWholeNumbersOfEightBitsAndIsTheSameForASeed) {
  for (const auto& [width, height] : {std::pair(1, 1), {3, 200}, {64, 64}, {131, 75}}) {
    Random first(5), second(5);
    const std::vector<float> image = makeImage(width, height, first);
    ASSERT_EQ(image.size(), size_t(width) * height);
    EXPECT_EQ(image, makeImage(width, height, second));
    for (const float pixel : image) {
      EXPECT_GE(pixel, 0.0f);
      EXPECT_LE(pixel, 255.0f);
      EXPECT_EQ(pixel, std::round(pixel));
    }
  }
}

}  // namespace
