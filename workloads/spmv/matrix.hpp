// Sparse matrices in compressed sparse rows (CSR) and in jagged diagonals (JDS), and a generator.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "../common/random.hpp"

namespace spmv {

// Row i has the elements offsets[i] to offsets[i + 1] - 1.
struct CsrMatrix {
  std::vector<int> offsets{0}, columns;
  std::vector<float> values;

  int rows() const { return int(offsets.size()) - 1; }
  int length(int row) const { return offsets[row + 1] - offsets[row]; }
};

// Rows sorted by falling length, then stored by columns: element k of the sorted row r lies at diagonals[k] + r. Rows are padded with
// zeros to the longest of their group of kGroup rows, so that neighbouring threads take equally many steps.
struct JdsMatrix {
  static constexpr int kGroup = 32;

  std::vector<int> permutation;   // sorted row -> row
  std::vector<int> groupLengths;  // elements per row of each group
  std::vector<int> diagonals, columns;
  std::vector<float> values;
};

inline JdsMatrix toJds(const CsrMatrix& csr) {
  JdsMatrix jds;
  const int rows = csr.rows();
  jds.permutation.resize(rows);
  std::iota(jds.permutation.begin(), jds.permutation.end(), 0);
  std::stable_sort(jds.permutation.begin(), jds.permutation.end(), [&](int a, int b) { return csr.length(a) > csr.length(b); });
  for (int first = 0; first < rows; first += JdsMatrix::kGroup) jds.groupLengths.push_back(csr.length(jds.permutation[first]));

  const int longest = jds.groupLengths.empty() ? 0 : jds.groupLengths.front();
  for (int k = 0; k < longest; ++k) {
    jds.diagonals.push_back(int(jds.values.size()));
    for (int sorted = 0; sorted < rows && jds.groupLengths[sorted / JdsMatrix::kGroup] > k; ++sorted) {
      const int row = jds.permutation[sorted];
      const bool padding = k >= csr.length(row);
      jds.columns.push_back(padding ? 0 : csr.columns[csr.offsets[row] + k]);
      jds.values.push_back(padding ? 0.0f : csr.values[csr.offsets[row] + k]);
    }
  }
  return jds;
}

// What finite elements on an unstructured mesh give: most neighbours near the diagonal, some far away, and rows of 12 to 36
// elements, one in 64 much longer; columns rise within a row. Values are those of a body of three materials, each of which fills a stretch
// of rows: springs to the neighbours, and on the diagonal their sum. Of rubber, bone and steel, roughly (0.1, 20, 200 GPa), over that of
// bone.
constexpr float kStiffness[] = {0.005f, 1.0f, 10.0f};

inline CsrMatrix meshMatrix(int rows, workloads::Random& random) {
  CsrMatrix matrix;
  for (int row = 0; row < rows; ++row) {
    const float stiffness = kStiffness[row / 384 % 3];
    const int length = random.below(64) == 0 ? 100 + random.below(100) : 12 + random.below(25);
    std::vector<int> columns{row};
    for (int i = 1; i < length; ++i) {
      const bool near = random.below(8) != 0;
      const int column = near ? row - 64 + int(random.below(129)) : int(random.below(rows));
      columns.push_back(std::clamp(column, 0, rows - 1));
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (int column : columns) {
      matrix.columns.push_back(column);
      matrix.values.push_back(column == row ? stiffness * float(columns.size() - 1) : -stiffness);
    }
    matrix.offsets.push_back(int(matrix.columns.size()));
  }
  return matrix;
}

}  // namespace spmv
