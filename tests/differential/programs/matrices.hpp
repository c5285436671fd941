// Small matrices of whole numbers, exact in every format of the tensor cores, and their product on the host.
#pragma once

#include <vector>

// Row-major, values from -`span` to `span`.
inline std::vector<int> matrix(int rows, int columns, int seed, int span) {
  std::vector<int> values(rows * columns);
  for (int i = 0; i < rows * columns; ++i) values[i] = (i * 7919 + seed * 104729) % 1009 % (2 * span + 1) - span;
  return values;
}

inline std::vector<int> transposed(const std::vector<int>& values, int rows, int columns) {
  std::vector<int> result(values.size());
  for (int i = 0; i < rows * columns; ++i) result[i % columns * rows + i / columns] = values[i];
  return result;
}

// a (m x k) times b (k x n) plus c.
inline std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b, const std::vector<int>& c, int m, int n, int k) {
  std::vector<int> result = c;
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      for (int inner = 0; inner < k; ++inner) result[row * n + column] += a[row * k + inner] * b[inner * n + column];
    }
  }
  return result;
}

template <typename T>
std::vector<T> as(const std::vector<int>& values) {
  return std::vector<T>(values.begin(), values.end());
}
