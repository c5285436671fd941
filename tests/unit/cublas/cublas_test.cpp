#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "cublas_v2.h"
#include "cuda_bf16.h"

namespace {

template <typename T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(&data_, count_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* get() { return data_; }
  std::vector<T> values() {
    std::vector<T> result(count_);
    EXPECT_EQ(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
  }

 private:
  T* data_ = nullptr;
  size_t count_ = 0;
};

// Small whole numbers: every sum of their products is exact, in any order.
template <typename T>
std::vector<T> numbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> result(count);
  for (T& each : result) each = T(static_cast<float>(static_cast<int>(random() % 9) - 4));
  return result;
}

class CublasTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPWRIGHT_MACHINE", CUDART_TEST_MACHINE, 1);
    setenv("WARPWRIGHT_QUIET", "1", 1);
  }
  void SetUp() override { ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS); }
  void TearDown() override {
    EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  cublasHandle_t handle = nullptr;
};

constexpr auto kSuccess = CUBLAS_STATUS_SUCCESS;
constexpr int kSizes[] = {1, 31, 257, 5000};

TEST_F(CublasTest, Reductions) {
  for (const int n : kSizes) {
    std::vector<float> x = numbers<float>(n, 1), y = numbers<float>(n, 2);
    if (n > 3) x[n / 2] = x[n / 2 + 1] = -7, x[n / 3] = 0.5f;
    float sum = 0, magnitudes = 0, squares = 0;
    int largest = 0, smallest = 0;
    for (int i = 0; i < n; ++i) {
      sum += x[i] * y[i];
      magnitudes += std::fabs(x[i]);
      squares += x[i] * x[i];
      if (std::fabs(x[i]) > std::fabs(x[largest])) largest = i;
      if (std::fabs(x[i]) < std::fabs(x[smallest])) smallest = i;
    }
    Device<float> dx(x), dy(y);
    float result = -1;
    int index = -1;
    EXPECT_EQ(cublasSdot(handle, n, dx.get(), 1, dy.get(), 1, &result), kSuccess);
    EXPECT_EQ(result, sum) << n;
    EXPECT_EQ(cublasSasum(handle, n, dx.get(), 1, &result), kSuccess);
    EXPECT_EQ(result, magnitudes) << n;
    EXPECT_EQ(cublasSnrm2(handle, n, dx.get(), 1, &result), kSuccess);
    EXPECT_NEAR(result, std::sqrt(squares), 1e-5 * std::sqrt(squares)) << n;
    EXPECT_EQ(cublasIsamax(handle, n, dx.get(), 1, &index), kSuccess);
    EXPECT_EQ(index, largest + 1) << n;
    EXPECT_EQ(cublasIsamin(handle, n, dx.get(), 1, &index), kSuccess);
    EXPECT_EQ(index, smallest + 1) << n;
  }
}

TEST_F(CublasTest, TheNormDoesNotOverflow) {
  Device<double> x({3e200, -4e200});
  double result = 0;
  EXPECT_EQ(cublasDnrm2(handle, 2, x.get(), 1, &result), kSuccess);
  EXPECT_DOUBLE_EQ(result, 5e200);
}

TEST_F(CublasTest, IncrementsAsBlasCountsThem) {
  Device<double> x({1, 2, 3, 4, 5, 6}), y({10, 20, 30});
  double result = 0;
  EXPECT_EQ(cublasDdot(handle, 3, x.get(), 2, y.get(), -1, &result), kSuccess);
  EXPECT_EQ(result, 1 * 30 + 3 * 20 + 5 * 10);
  const double alpha = 2;
  EXPECT_EQ(cublasDaxpy(handle, 3, &alpha, y.get(), -1, x.get(), 2), kSuccess);
  EXPECT_EQ(x.values(), (std::vector<double>{61, 2, 43, 4, 25, 6}));
  EXPECT_EQ(cublasDasum(handle, 3, x.get(), -1, &result), kSuccess) << "nothing is summed";
  EXPECT_EQ(result, 0);
}

TEST_F(CublasTest, ElementByElement) {
  for (const int n : kSizes) {
    const std::vector<float> x = numbers<float>(n, 3), y = numbers<float>(n, 4);
    Device<float> dx(x), dy(y);
    const float alpha = 3;
    std::vector<float> sum(n);
    for (int i = 0; i < n; ++i) sum[i] = alpha * x[i] + y[i];
    EXPECT_EQ(cublasSaxpy(handle, n, &alpha, dx.get(), 1, dy.get(), 1), kSuccess);
    EXPECT_EQ(dy.values(), sum);
    EXPECT_EQ(cublasSswap(handle, n, dx.get(), 1, dy.get(), 1), kSuccess);
    EXPECT_EQ(dx.values(), sum);
    EXPECT_EQ(dy.values(), x);
    EXPECT_EQ(cublasSscal(handle, n, &alpha, dy.get(), 1), kSuccess);
    std::vector<float> scaled(n);
    for (int i = 0; i < n; ++i) scaled[i] = alpha * x[i];
    EXPECT_EQ(dy.values(), scaled);
    EXPECT_EQ(cublasScopy(handle, n, dy.get(), 1, dx.get(), 1), kSuccess);
    EXPECT_EQ(dx.values(), scaled);
  }
}

TEST_F(CublasTest, FactorsAndResultsInDeviceMemory) {
  Device<float> x({1, 2, 3}), y({4, 5, 6}), alpha({2}), result({0});
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), kSuccess);
  EXPECT_EQ(cublasSaxpy(handle, 3, alpha.get(), x.get(), 1, y.get(), 1), kSuccess);
  EXPECT_EQ(cublasSdot(handle, 3, x.get(), 1, y.get(), 1, result.get()), kSuccess);
  EXPECT_EQ(result.values()[0], 6 + 18 + 36);
  EXPECT_EQ(cublasSdot(handle, 0, nullptr, 1, nullptr, 1, result.get()), kSuccess);
  EXPECT_EQ(result.values()[0], 0);
}

// alpha op(a) op(b) + beta c, all column-major.
template <typename T>
std::vector<T> product(bool ta, bool tb, int m, int n, int k, float alpha, const std::vector<T>& a, int lda, const std::vector<T>& b,
                       int ldb, float beta, std::vector<T> c, int ldc) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += static_cast<double>(static_cast<float>(ta ? a[l + i * lda] : a[i + l * lda])) *
               static_cast<double>(static_cast<float>(tb ? b[j + l * ldb] : b[l + j * ldb]));
      T& element = c[i + j * ldc];
      element = T(static_cast<float>(alpha * sum + (beta == 0 ? 0 : beta * static_cast<float>(element))));
    }
  }
  return c;
}

template <typename T>
void expectEqual(const std::vector<T>& found, const std::vector<T>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(static_cast<float>(found[i]), static_cast<float>(expected[i])) << i;
}

template <typename T, typename Multiply>
void tryProducts(Multiply&& multiply) {
  struct Size {
    int m, n, k;
  };
  for (const auto& [m, n, k] : {Size{1, 1, 1}, {64, 64, 16}, {65, 33, 17}, {7, 100, 5}, {5, 4, 0}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        const int lda = (ta ? k : m) + 2, ldb = (tb ? n : k) + 1, ldc = m + 3;
        const auto a = numbers<T>(static_cast<size_t>(lda) * (ta ? m : k) + 1, 5),
                   b = numbers<T>(static_cast<size_t>(ldb) * (tb ? k : n) + 1, 6), c = numbers<T>(static_cast<size_t>(ldc) * n, 7);
        Device<T> da(a), db(b), dc(c);
        SCOPED_TRACE(::testing::Message() << m << ' ' << n << ' ' << k << ' ' << ta << tb);
        ASSERT_EQ(
            multiply(ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, da.get(), lda, db.get(), ldb, dc.get(), ldc),
            kSuccess);
        expectEqual(dc.values(), product(ta, tb, m, n, k, 2, a, lda, b, ldb, 3, c, ldc));
      }
    }
  }
}

TEST_F(CublasTest, ProductsOfMatrices) {
  tryProducts<float>([&](auto ta, auto tb, int m, int n, int k, float* a, int lda, float* b, int ldb, float* c, int ldc) {
    const float alpha = 2, beta = 3;
    return cublasSgemm(handle, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  });
  tryProducts<double>([&](auto ta, auto tb, int m, int n, int k, double* a, int lda, double* b, int ldb, double* c, int ldc) {
    const double alpha = 2, beta = 3;
    return cublasDgemm(handle, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  });
  tryProducts<__half>([&](auto ta, auto tb, int m, int n, int k, __half* a, int lda, __half* b, int ldb, __half* c, int ldc) {
    const __half alpha = 2.0f, beta = 3.0f;
    return cublasHgemm(handle, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  });
  tryProducts<__nv_bfloat16>([&](auto ta, auto tb, int m, int n, int k, auto* a, int lda, auto* b, int ldb, auto* c, int ldc) {
    const float alpha = 2, beta = 3;
    return cublasGemmEx(handle, ta, tb, m, n, k, &alpha, a, CUDA_R_16BF, lda, b, CUDA_R_16BF, ldb, &beta, c, CUDA_R_16BF, ldc,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
}

TEST_F(CublasTest, ProductsDoNotReadWhatTheyOverwrite) {
  Device<float> a({1, 2, 3, 4}), b({5, 6, 7, 8}), c(std::vector<float>(4, std::numeric_limits<float>::quiet_NaN()));
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.get(), 2, b.get(), 2, &zero, c.get(), 2), kSuccess);
  EXPECT_EQ(c.values(), (std::vector<float>{23, 34, 31, 46}));
}

TEST_F(CublasTest, Batches) {
  const auto a = numbers<float>(3 * 12, 8), b = numbers<float>(3 * 20, 9), c = numbers<float>(3 * 15, 10);
  Device<float> da(a), db(b), dc(c), again(c);
  const float alpha = 2, beta = 3;
  EXPECT_EQ(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 5, 4, &alpha, da.get(), 3, 12, db.get(), 4, 20, &beta, dc.get(),
                                      3, 15, 3),
            kSuccess);
  Device<const float*> as({da.get(), da.get() + 12, da.get() + 24}), bs({db.get(), db.get() + 20, db.get() + 40});
  Device<float*> cs({again.get(), again.get() + 15, again.get() + 30});
  EXPECT_EQ(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 5, 4, &alpha, as.get(), 3, bs.get(), 4, &beta, cs.get(), 3, 3),
            kSuccess);
  std::vector<float> expected;
  for (int i = 0; i < 3; ++i) {
    const auto part = [&](const std::vector<float>& of, int size) {
      return std::vector<float>(of.begin() + i * size, of.begin() + (i + 1) * size);
    };
    const auto each = product(false, false, 3, 5, 4, alpha, part(a, 12), 3, part(b, 20), 4, beta, part(c, 15), 3);
    expected.insert(expected.end(), each.begin(), each.end());
  }
  expectEqual(dc.values(), expected);
  expectEqual(again.values(), expected);
}

TEST_F(CublasTest, ProductsWithVectors) {
  for (const auto& [m, n] : {std::pair{1, 1}, {130, 67}, {5, 300}}) {
    for (const bool transposed : {false, true}) {
      const int lda = m + 1, rows = transposed ? n : m, columns = transposed ? m : n;
      const auto a = numbers<double>(static_cast<size_t>(lda) * n, 11), x = numbers<double>(columns, 12), y = numbers<double>(2 * rows, 13);
      Device<double> da(a), dx(x), dy(y);
      const double alpha = 2, beta = -1;
      std::vector<double> expected = y;
      for (int i = 0; i < rows; ++i) {
        double sum = 0;
        for (int j = 0; j < columns; ++j) sum += (transposed ? a[j + i * lda] : a[i + j * lda]) * x[j];
        expected[2 * i] = alpha * sum + beta * y[2 * i];
      }
      EXPECT_EQ(cublasDgemv(handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &alpha, da.get(), lda, dx.get(), 1, &beta, dy.get(), 2),
                kSuccess);
      EXPECT_EQ(dy.values(), expected) << m << ' ' << n << ' ' << transposed;
    }
  }
}

TEST_F(CublasTest, OuterProductsAndSums) {
  Device<float> a({1, 2, 3, 4, 5, 6}), x({1, 2}), y({10, 20, 30}), c(std::vector<float>(6));
  const float alpha = 2, beta = -1;
  EXPECT_EQ(cublasSger(handle, 2, 3, &alpha, x.get(), 1, y.get(), 1, a.get(), 2), kSuccess);
  EXPECT_EQ(a.values(), (std::vector<float>{21, 42, 43, 84, 65, 126}));
  EXPECT_EQ(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &alpha, a.get(), 2, &beta, a.get(), 3, c.get(), 3), kSuccess);
  EXPECT_EQ(c.values(), (std::vector<float>{42 - 21, 86 - 42, 130 - 43, 84 - 84, 168 - 65, 252 - 126}));
}

TEST_F(CublasTest, WorkFollowsTheHandlesStream) {
  cudaStream_t stream = nullptr, found = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cublasSetStream(handle, stream), kSuccess);
  EXPECT_EQ(cublasGetStream(handle, &found), kSuccess);
  EXPECT_EQ(found, stream);
  Device<float> x({1, 2}), y({3, 4});
  const float alpha = 1;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cublasSaxpy(handle, 2, &alpha, x.get(), 1, y.get(), 1), kSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(y.values(), (std::vector<float>{3, 4}));
  cudaGraphExec_t instance = nullptr;
  ASSERT_EQ(cudaGraphInstantiateWithFlags(&instance, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(y.values(), (std::vector<float>{4, 6}));
  cudaStreamDestroy(stream);
}

TEST_F(CublasTest, CopiesOfVectorsAndMatrices) {
  const std::vector<float> host{1, 2, 3, 4, 5, 6};
  std::vector<float> back(6);
  Device<float> device(std::vector<float>(12));
  EXPECT_EQ(cublasSetVector(3, sizeof(float), host.data(), 2, device.get(), 3), kSuccess);
  EXPECT_EQ(cublasGetVector(3, sizeof(float), device.get(), 3, back.data(), 1), kSuccess);
  EXPECT_EQ(back, (std::vector<float>{1, 3, 5, 0, 0, 0}));
  EXPECT_EQ(cublasSetMatrix(2, 3, sizeof(float), host.data(), 2, device.get(), 4), kSuccess);
  EXPECT_EQ(cublasGetMatrix(2, 3, sizeof(float), device.get(), 4, back.data(), 2), kSuccess);
  EXPECT_EQ(back, host);
  EXPECT_EQ(cublasSetMatrix(2, 3, sizeof(float), host.data(), 1, device.get(), 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetVector(3, sizeof(float), host.data(), 0, device.get(), 1), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(CublasTest, WrongUse) {
  Device<float> a(std::vector<float>(16));
  const float one = 1;
  float result = 0;
  const auto gemm = [&](int m, int lda, const float* alpha) {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 2, 2, alpha, a.get(), lda, a.get(), 2, &one, a.get(), 4);
  };
  EXPECT_EQ(gemm(-1, 2, &one), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(3, 2, &one), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(2, 2, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(2, 2, &one), kSuccess);
  EXPECT_EQ(cublasSdot(handle, 2, a.get(), 1, a.get(), 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSdot(nullptr, 2, a.get(), 1, a.get(), 1, &result), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.get(), CUDA_R_8I, 2, a.get(), CUDA_R_8I, 2, &one, a.get(),
                         CUDA_R_32I, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_NOT_SUPPORTED);
  cublasHandle_t other = nullptr;
  ASSERT_EQ(cublasCreate(&other), kSuccess);
  EXPECT_EQ(cublasDestroy(other), kSuccess);
  EXPECT_EQ(cublasDestroy(other), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
}

// What NVIDIA's library has and this one does not.
extern "C" int cublasCgemm_v2();

TEST_F(CublasTest, FunctionsThatAreRefusedSaySoOnce) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cublasCgemm_v2(), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasCgemm_v2(), CUBLAS_STATUS_NOT_SUPPORTED);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("calls cublasCgemm_v2, which is not supported"), std::string::npos);
  EXPECT_EQ(said.find("cublasCgemm_v2"), said.rfind("cublasCgemm_v2"));
}

}  // namespace
