// The accuracy of the device math library, measured on the host against the C library's long double functions.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warpwright::cc::test {

// Where arguments are drawn from: uniformly, or uniformly in the logarithm of their size (lowest > 0 then; both signs if `mirrored`).
struct Range {
  double lowest, highest;
  bool logarithmic = false;
  bool mirrored = false;
};

// One function and what the documentation promises, in units in the last place of the exact result.
// With `absolute` the error is relative to the larger of the result and `absolute` instead (oscillating functions near their zeros).
struct Row {
  std::string name;
  double boundDouble, boundFloat;
  std::function<double(double, double)> ofDouble;
  std::function<float(float, float)> ofFloat;
  std::function<long double(long double, long double)> reference;
  std::vector<Range> first;
  std::vector<Range> second;  // empty: one argument
  double absolute = 0.0;
};

struct Measured {
  double ulpsDouble = 0.0, ulpsFloat = 0.0;
  double worstDouble[2] = {}, worstFloat[2] = {};  // the arguments
};

const std::vector<Row>& accuracyRows();

// `samples` arguments a range, always the same ones.
Measured measure(const Row& row, int samples);

}  // namespace warpwright::cc::test
