// A product of matrices and a norm through cuBLAS, beside the host's.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  constexpr int kSide = 70;
  std::vector<float> a(kSide * kSide), b(kSide * kSide), c(kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  float *da = nullptr, *db = nullptr, *dc = nullptr;
  const size_t bytes = a.size() * sizeof(float);
  for (float** pointer : {&da, &db, &dc}) cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
  cublasHandle_t handle = nullptr;
  bool right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  cublasSetMatrix(kSide, kSide, sizeof(float), a.data(), kSide, da, kSide);
  cublasSetMatrix(kSide, kSide, sizeof(float), b.data(), kSide, db, kSide);
  const float alpha = 2, beta = 0;
  right &= cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, kSide, kSide, kSide, &alpha, da, kSide, db, kSide, &beta, dc, kSide) ==
           CUBLAS_STATUS_SUCCESS;
  cublasGetMatrix(kSide, kSide, sizeof(float), dc, kSide, c.data(), kSide);
  double squares = 0;
  for (int j = 0; j < kSide; ++j) {
    for (int i = 0; i < kSide; ++i) {
      float sum = 0;
      for (int k = 0; k < kSide; ++k) sum += a[i + k * kSide] * b[j + k * kSide];
      right &= c[i + j * kSide] == alpha * sum;
      squares += 4.0 * sum * sum;
    }
  }
  float norm = 0;
  right &= cublasSnrm2(handle, kSide * kSide, dc, 1, &norm) == CUBLAS_STATUS_SUCCESS;
  right &= std::fabs(norm - std::sqrt(squares)) < 1e-5 * norm;
  cublasDestroy(handle);
  std::puts(right ? "right" : "WRONG");
  return right ? 0 : 1;
}
