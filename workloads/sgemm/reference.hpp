// The plain single-threaded algorithm: A is m x k, B is k x n, C is m x n, row-major.
#pragma once

#include <vector>

namespace workloads {

struct Shape {
  int m, n, k;
};

inline void referenceSgemm(const Shape& shape, float alpha, const std::vector<float>& a, const std::vector<float>& b, float beta,
                           std::vector<float>& c) {
  for (int row = 0; row < shape.m; ++row) {
    for (int column = 0; column < shape.n; ++column) {
      float sum = 0.0f;
      for (int i = 0; i < shape.k; ++i) sum += a[row * shape.k + i] * b[i * shape.n + column];
      float& element = c[row * shape.n + column];
      element = alpha * sum + beta * element;
    }
  }
}

}  // namespace workloads
