// The two-dimensional transforms of 8 x 8 blocks as defined: every value is the sum of eight products, rows first.
#pragma once

#include <cmath>
#include <vector>

namespace dct {

constexpr double kPi = 3.14159265358979323846;

// basis[k][n]: what the sample n contributes to the coefficient k.
template <class T>
struct Basis {
  T basis[8][8];

  explicit Basis(double scale) {
    for (int k = 0; k < 8; ++k) {
      for (int n = 0; n < 8; ++n) {
        const double cosine = k == 0 ? std::sqrt(0.125) : 0.5 * std::cos((2 * n + 1) * k * kPi / 16);
        basis[k][n] = scale == 1.0 ? T(cosine) : T(std::lround(scale * cosine));
      }
    }
  }
};

// Transforms eight values at `stride`; `round` turns the sum into what is stored.
template <class T, class Stored, class Round>
void referenceLine(const Basis<T>& basis, bool forward, Stored* line, int stride, Round round) {
  Stored result[8];
  for (int i = 0; i < 8; ++i) {
    T sum = 0;
    for (int j = 0; j < 8; ++j) sum += (forward ? basis.basis[i][j] : basis.basis[j][i]) * line[j * stride];
    result[i] = round(sum);
  }
  for (int i = 0; i < 8; ++i) line[i * stride] = result[i];
}

template <class T, class Stored, class RoundRow, class RoundColumn>
void referenceImage(const Basis<T>& basis, bool forward, std::vector<Stored>& image, int width, RoundRow roundRow,
                    RoundColumn roundColumn) {
  const int height = int(image.size()) / width;
  for (int top = 0; top < height; top += 8) {
    for (int left = 0; left < width; left += 8) {
      Stored* corner = &image[top * width + left];
      for (int row = 0; row < 8; ++row) referenceLine(basis, forward, corner + row * width, 1, roundRow);
      for (int column = 0; column < 8; ++column) referenceLine(basis, forward, corner + column, width, roundColumn);
    }
  }
}

}  // namespace dct
