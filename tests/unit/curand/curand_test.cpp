// The library as a program sees it: sequences repeat and continue, and their numbers are distributed as they should be.
#include <curand.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

constexpr auto kSuccess = CURAND_STATUS_SUCCESS;
constexpr size_t kCount = 40000;

class CurandTest : public ::testing::TestWithParam<curandRngType_t> {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPWRIGHT_MACHINE", CUDART_TEST_MACHINE, 1);
    setenv("WARPWRIGHT_QUIET", "1", 1);
  }
  void SetUp() override {
    ASSERT_EQ(curandCreateGenerator(&generator, GetParam()), kSuccess);
    ASSERT_EQ(cudaMalloc(&memory, (kCount + 1) * sizeof(double)), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(curandDestroyGenerator(generator), kSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
  }
  // What `generate` puts into device memory.
  template <typename T, typename Generate>
  std::vector<T> get(size_t count, Generate&& generate) {
    std::vector<T> result(count);
    EXPECT_EQ(generate(static_cast<T*>(memory)), kSuccess);
    EXPECT_EQ(cudaMemcpy(result.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
  }
  std::vector<unsigned> words(size_t count) {
    return get<unsigned>(count, [&](unsigned* to) { return curandGenerate(generator, to, count); });
  }

  curandGenerator_t generator = nullptr;
  void* memory = nullptr;
};

struct Moments {
  double mean = 0, variance = 0, neighbours = 0;  // neighbours: correlation of a number with the next
};

template <typename T>
Moments momentsOf(const std::vector<T>& values) {
  Moments result;
  for (const T value : values) result.mean += value;
  result.mean /= values.size();
  for (size_t i = 0; i < values.size(); ++i) {
    result.variance += (values[i] - result.mean) * (values[i] - result.mean);
    if (i > 0) result.neighbours += (values[i] - result.mean) * (values[i - 1] - result.mean);
  }
  result.neighbours /= result.variance;
  result.variance /= values.size();
  return result;
}

TEST_P(CurandTest, SequencesRepeatAndContinue) {
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 1234), kSuccess);
  const std::vector<unsigned> whole = words(10000);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 1234), kSuccess);
  std::vector<unsigned> parts = words(4099);
  const std::vector<unsigned> rest = words(10000 - 4099);
  parts.insert(parts.end(), rest.begin(), rest.end());
  EXPECT_EQ(parts, whole);
  ASSERT_EQ(curandSetGeneratorOffset(generator, 5001), kSuccess);
  EXPECT_EQ(words(4999), std::vector<unsigned>(whole.begin() + 5001, whole.end()));
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 1235), kSuccess);
  EXPECT_NE(words(10000), whole);
}

TEST_P(CurandTest, BitsAreSetHalfOfTheTime) {
  const std::vector<unsigned> found = words(kCount);
  for (int bit = 0; bit < 32; ++bit) {
    const auto set = std::count_if(found.begin(), found.end(), [&](unsigned word) { return (word >> bit) & 1; });
    EXPECT_NEAR(static_cast<double>(set), kCount / 2.0, 5 * std::sqrt(kCount) / 2) << bit;
  }
}

template <typename T>
void expectUniform(const std::vector<T>& values) {
  const Moments moments = momentsOf(values);
  EXPECT_NEAR(moments.mean, 0.5, 5 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(moments.variance, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / kCount));
  EXPECT_NEAR(moments.neighbours, 0, 5 / std::sqrt(kCount));
  EXPECT_GT(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 1);
  // Chi-square over 64 classes: 63 degrees of freedom, deviation √126.
  std::vector<double> classes(64);
  for (const T value : values) ++classes[std::min<size_t>(63, static_cast<size_t>(value * 64))];
  double square = 0;
  for (const double count : classes) square += (count - kCount / 64.0) * (count - kCount / 64.0) / (kCount / 64.0);
  EXPECT_NEAR(square, 63, 5 * std::sqrt(126));
}

TEST_P(CurandTest, UniformNumbers) {
  expectUniform(get<float>(kCount, [&](float* to) { return curandGenerateUniform(generator, to, kCount); }));
  expectUniform(get<double>(kCount, [&](double* to) { return curandGenerateUniformDouble(generator, to, kCount); }));
}

template <typename T>
void expectNormal(const std::vector<T>& values, double mean, double deviation) {
  const Moments moments = momentsOf(values);
  EXPECT_NEAR(moments.mean, mean, 5 * deviation / std::sqrt(kCount));
  EXPECT_NEAR(moments.variance, deviation * deviation, 5 * deviation * deviation * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(moments.neighbours, 0, 5 / std::sqrt(kCount));
  double fourth = 0;
  for (const T value : values) fourth += std::pow((value - mean) / deviation, 4);
  EXPECT_NEAR(fourth / kCount, 3, 5 * std::sqrt(96.0 / kCount));
}

TEST_P(CurandTest, NormalNumbers) {
  expectNormal(get<float>(kCount, [&](float* to) { return curandGenerateNormal(generator, to, kCount, 3, 2); }), 3, 2);
  expectNormal(get<double>(kCount, [&](double* to) { return curandGenerateNormalDouble(generator, to, kCount, -1, 0.5); }), -1, 0.5);
}

TEST_P(CurandTest, LogNormalNumbers) {
  std::vector<float> single = get<float>(kCount, [&](float* to) { return curandGenerateLogNormal(generator, to, kCount, 1, 0.5f); });
  for (float& value : single) value = std::log(value);
  expectNormal(single, 1, 0.5);
  std::vector<double> wide = get<double>(kCount, [&](double* to) { return curandGenerateLogNormalDouble(generator, to, kCount, 1, 0.5); });
  for (double& value : wide) value = std::log(value);
  expectNormal(wide, 1, 0.5);
}

TEST_P(CurandTest, NumbersInHostMemoryAreTheSame) {
  curandGenerator_t forHost = nullptr;
  ASSERT_EQ(curandCreateGeneratorHost(&forHost, GetParam()), kSuccess);
  std::vector<float> host(1000);
  EXPECT_EQ(curandGenerateUniform(forHost, host.data(), host.size()), kSuccess);
  EXPECT_EQ(curandDestroyGenerator(forHost), kSuccess);
  EXPECT_EQ(host, get<float>(1000, [&](float* to) { return curandGenerateUniform(generator, to, 1000); }));
}

TEST_P(CurandTest, WrongUse) {
  auto* const to = static_cast<float*>(memory);
  EXPECT_EQ(curandGenerateNormal(generator, to, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(curandGenerateUniform(generator, nullptr, 3), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandGenerateUniform(nullptr, to, 3), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
  curandGenerator_t other = nullptr;
  EXPECT_EQ(curandCreateGenerator(&other, CURAND_RNG_QUASI_SOBOL32), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandDestroyGenerator(other), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(curandGenerateUniform(generator, to, 0), kSuccess);
}

INSTANTIATE_TEST_SUITE_P(Generators, CurandTest,
                         ::testing::Values(CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10),
                         [](const auto& type) { return std::to_string(type.param); });

// Seed 0 of the counter-based generator is the paper's sequence itself.
TEST(CurandSequence, PhiloxBeginsAsPublished) {
  setenv("WARPWRIGHT_MACHINE", CUDART_TEST_MACHINE, 1);
  curandGenerator_t generator = nullptr;
  ASSERT_EQ(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10), kSuccess);
  unsigned words[4] = {};
  EXPECT_EQ(curandGenerate(generator, words, 4), kSuccess);
  EXPECT_EQ(words[0], 0x6627e8d5u);
  EXPECT_EQ(words[3], 0x9b00dbd8u);
  EXPECT_EQ(curandDestroyGenerator(generator), kSuccess);
}

}  // namespace
