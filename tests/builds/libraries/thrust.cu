// Thrust's vectors and algorithms against results computed on the host.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

constexpr int kCount = 10000;

bool failed = false;
void expect(bool right, const char* what) {
  std::printf("%-24s %s\n", what, right ? "right" : "WRONG");
  failed |= !right;
}

std::vector<int> numbers() {
  std::vector<int> result(kCount);
  unsigned state = 99;
  for (int& each : result) {
    state = state * 1664525u + 1013904223u;
    each = static_cast<int>(state >> 8) % 1000;
  }
  return result;
}

template <typename T>
bool equal(const thrust::device_vector<T>& found, const std::vector<T>& expected) {
  thrust::host_vector<T> host = found;
  return std::equal(host.begin(), host.end(), expected.begin(), expected.end());
}

struct Square {
  __host__ __device__ int operator()(int value) const { return value * value; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};
struct Axpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Product {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& pair) const { return thrust::get<0>(pair) * thrust::get<1>(pair); }
};

void transforms(const std::vector<int>& host) {
  const thrust::device_vector<int> in(host.begin(), host.end());
  thrust::device_vector<int> out(kCount);
  thrust::transform(in.begin(), in.end(), out.begin(), Square());
  std::vector<int> expected(kCount);
  std::transform(host.begin(), host.end(), expected.begin(), Square());
  expect(equal(out, expected), "transform");

  thrust::device_vector<float> x(kCount), y(kCount, 1.0f);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Axpy{2.0f});
  std::vector<float> line(kCount);
  for (int i = 0; i < kCount; ++i) line[i] = 2.0f * i + 1.0f;
  expect(equal(y, line), "axpy");

  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(in.begin(), thrust::counting_iterator<int>(0)));
  thrust::transform(pairs, pairs + kCount, out.begin(), Product());
  for (int i = 0; i < kCount; ++i) expected[i] = host[i] * i;
  expect(equal(out, expected), "zip");
}

void reductions(const std::vector<int>& host) {
  const thrust::device_vector<int> in(host.begin(), host.end());
  expect(thrust::reduce(in.begin(), in.end()) == std::accumulate(host.begin(), host.end(), 0), "reduce");
  long long squares = 0;
  for (const int value : host) squares += 1LL * value * value;
  expect(thrust::transform_reduce(in.begin(), in.end(), Square(), 0LL, thrust::plus<long long>()) == squares, "transform_reduce");
  expect(*thrust::max_element(in.begin(), in.end()) == *std::max_element(host.begin(), host.end()), "max_element");
  expect(thrust::count_if(in.begin(), in.end(), IsOdd()) == std::count_if(host.begin(), host.end(), IsOdd()), "count_if");
}

void scans(const std::vector<int>& host) {
  thrust::device_vector<int> values(host.begin(), host.end());
  std::vector<int> expected(kCount);
  std::partial_sum(host.begin(), host.end(), expected.begin());
  thrust::inclusive_scan(values.begin(), values.end(), values.begin());
  expect(equal(values, expected), "inclusive_scan");
}

void sorts(const std::vector<int>& host) {
  thrust::device_vector<int> keys(host.begin(), host.end()), places(kCount);
  std::vector<int> expected(host), order(kCount);
  std::sort(expected.begin(), expected.end());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] < host[b]; });
  thrust::sequence(places.begin(), places.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin());
  expect(equal(keys, expected), "sort");
  expect(equal(places, order), "sort_by_key");

  thrust::device_vector<int> values(kCount), counts(kCount);
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1), values.begin(), counts.begin());
  values.resize(ends.first - values.begin());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  expect(equal(values, expected), "reduce_by_key");
  keys.erase(thrust::unique(keys.begin(), keys.end()), keys.end());
  expect(equal(keys, expected), "unique");
}

void selections(const std::vector<int>& host) {
  const thrust::device_vector<int> in(host.begin(), host.end());
  thrust::device_vector<int> out(kCount);
  out.resize(thrust::copy_if(thrust::device, in.begin(), in.end(), out.begin(), IsOdd()) - out.begin());
  std::vector<int> expected;
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected), IsOdd());
  expect(equal(out, expected), "copy_if");
}

}  // namespace

int main() {
  const std::vector<int> host = numbers();
  transforms(host);
  reductions(host);
  scans(host);
  sorts(host);
  selections(host);
  return failed ? 1 : 0;
}
