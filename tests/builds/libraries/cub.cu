// CUB's device-wide and block-wide algorithms against results computed on the host.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <numeric>
#include <vector>

#define CHECK(call)                                                                   \
  do {                                                                                \
    const cudaError_t status_ = (call);                                               \
    if (status_ != cudaSuccess) {                                                     \
      std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status_)); \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (0)

namespace {

constexpr int kCount = 20000;

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) { CHECK(cudaMalloc(&data_, count * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* get() { return data_; }
  std::vector<T> values() {
    std::vector<T> result(count_);
    CHECK(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  T* data_ = nullptr;
  size_t count_ = 0;
};

// Asks for the size of the temporary storage, then runs.
template <typename Algorithm>
void run(Algorithm&& algorithm) {
  size_t bytes = 0;
  CHECK(algorithm(nullptr, bytes));
  DeviceArray<char> storage(bytes);
  CHECK(algorithm(storage.get(), bytes));
  CHECK(cudaDeviceSynchronize());
}

bool failed = false;
void expect(bool right, const char* what) {
  std::printf("%-24s %s\n", what, right ? "right" : "WRONG");
  failed |= !right;
}

std::vector<int> numbers() {
  std::vector<int> result(kCount);
  unsigned state = 12345;
  for (int& each : result) {
    state = state * 1664525u + 1013904223u;
    each = static_cast<int>(state >> 8) % 1000 - 500;
  }
  return result;
}

struct IsPositive {
  __host__ __device__ bool operator()(int value) const { return value > 0; }
};
struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

template <int threads, int perThread>
__global__ void blockAlgorithms(const int* in, int* sorted, int* prefix, int* sum) {
  using Load = cub::BlockLoad<int, threads, perThread, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, threads, perThread>;
  using Scan = cub::BlockScan<int, threads>;
  using Reduce = cub::BlockReduce<int, threads>;
  using Store = cub::BlockStore<int, threads, perThread, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
    typename Store::TempStorage store;
  } storage;
  const int first = blockIdx.x * threads * perThread;
  int items[perThread], sums[perThread];
  Load(storage.load).Load(in + first, items);
  __syncthreads();
  Scan(storage.scan).InclusiveSum(items, sums);
  __syncthreads();
  const int total = Reduce(storage.reduce).Sum(items);
  if (threadIdx.x == 0) sum[blockIdx.x] = total;
  __syncthreads();
  Sort(storage.sort).Sort(items);
  __syncthreads();
  Store(storage.store).Store(sorted + first, items);
  __syncthreads();
  Store(storage.store).Store(prefix + first, sums);
}

__global__ void warpAlgorithms(const int* in, int* sums, int* scans) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage reduce[4];
  __shared__ typename Scan::TempStorage scan[4];
  const int warp = threadIdx.x / 32;
  const int value = in[threadIdx.x];
  int before = 0;
  const int total = Reduce(reduce[warp]).Sum(value);
  Scan(scan[warp]).ExclusiveSum(value, before);
  scans[threadIdx.x] = before;
  if (threadIdx.x % 32 == 0) sums[warp] = total;
}

void reductions(const std::vector<int>& host, DeviceArray<int>& device) {
  DeviceArray<int> result(1);
  run([&](void* storage, size_t& bytes) { return cub::DeviceReduce::Sum(storage, bytes, device.get(), result.get(), kCount); });
  expect(result.values()[0] == std::accumulate(host.begin(), host.end(), 0), "DeviceReduce::Sum");
  run([&](void* storage, size_t& bytes) { return cub::DeviceReduce::Max(storage, bytes, device.get(), result.get(), kCount); });
  expect(result.values()[0] == *std::max_element(host.begin(), host.end()), "DeviceReduce::Max");
  run([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Reduce(storage, bytes, device.get(), result.get(), kCount, Larger(), -1000);
  });
  expect(result.values()[0] == *std::max_element(host.begin(), host.end()), "DeviceReduce::Reduce");
}

void scans(const std::vector<int>& host, DeviceArray<int>& device) {
  DeviceArray<int> result(kCount);
  std::vector<int> expected(kCount);
  run([&](void* storage, size_t& bytes) { return cub::DeviceScan::InclusiveSum(storage, bytes, device.get(), result.get(), kCount); });
  std::partial_sum(host.begin(), host.end(), expected.begin());
  expect(result.values() == expected, "DeviceScan::InclusiveSum");
  run([&](void* storage, size_t& bytes) { return cub::DeviceScan::ExclusiveSum(storage, bytes, device.get(), result.get(), kCount); });
  expected.insert(expected.begin(), 0);
  expected.pop_back();
  expect(result.values() == expected, "DeviceScan::ExclusiveSum");
}

void sorts(const std::vector<int>& host, DeviceArray<int>& device) {
  DeviceArray<int> result(kCount);
  std::vector<int> expected = host;
  std::sort(expected.begin(), expected.end());
  run([&](void* storage, size_t& bytes) { return cub::DeviceRadixSort::SortKeys(storage, bytes, device.get(), result.get(), kCount); });
  expect(result.values() == expected, "DeviceRadixSort::SortKeys");
  std::vector<int> places(kCount);
  std::iota(places.begin(), places.end(), 0);
  DeviceArray<int> placesIn(places), placesOut(kCount);
  run([&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, device.get(), result.get(), placesIn.get(), placesOut.get(), kCount);
  });
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return host[a] < host[b]; });
  expect(placesOut.values() == places, "DeviceRadixSort::SortPairs");
  DeviceArray<int> merged(host);
  run([&](void* storage, size_t& bytes) { return cub::DeviceMergeSort::SortKeys(storage, bytes, merged.get(), kCount, Less()); });
  expect(merged.values() == expected, "DeviceMergeSort::SortKeys");
}

void selections(const std::vector<int>& host, DeviceArray<int>& device) {
  DeviceArray<int> result(kCount), count(1);
  run([&](void* storage, size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, device.get(), result.get(), count.get(), kCount, IsPositive());
  });
  std::vector<int> expected;
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected), IsPositive());
  std::vector<int> found = result.values();
  found.resize(count.values()[0]);
  expect(found == expected, "DeviceSelect::If");
}

void histograms(const std::vector<int>& host, DeviceArray<int>& device) {
  constexpr int kBins = 10;
  DeviceArray<int> result(kBins);
  run([&](void* storage, size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, device.get(), result.get(), kBins + 1, -500, 500, kCount);
  });
  std::vector<int> expected(kBins);
  for (const int value : host) ++expected[(value + 500) / 100];
  expect(result.values() == expected, "DeviceHistogram");
}

void runLengths(const std::vector<int>& host) {
  std::vector<int> sorted = host;
  std::sort(sorted.begin(), sorted.end());
  DeviceArray<int> in(sorted), values(kCount), lengths(kCount), count(1);
  run([&](void* storage, size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, in.get(), values.get(), lengths.get(), count.get(), kCount);
  });
  std::vector<int> expected;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i] != sorted[i - 1]) expected.push_back(0);
    ++expected.back();
  }
  std::vector<int> found = lengths.values();
  found.resize(count.values()[0]);
  expect(found == expected, "DeviceRunLengthEncode");
}

void blocks(const std::vector<int>& host, DeviceArray<int>& device) {
  constexpr int kThreads = 128, kPerThread = 4, kTile = kThreads * kPerThread, kBlocks = kCount / kTile;
  DeviceArray<int> sorted(kCount), prefix(kCount), sum(kBlocks);
  blockAlgorithms<kThreads, kPerThread><<<kBlocks, kThreads>>>(device.get(), sorted.get(), prefix.get(), sum.get());
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> s = sorted.values(), p = prefix.values(), total = sum.values();
  bool right = true;
  for (int block = 0; block < kBlocks; ++block) {
    const auto from = host.begin() + block * kTile;
    std::vector<int> expected(from, from + kTile), sums(kTile);
    std::partial_sum(expected.begin(), expected.end(), sums.begin());
    std::sort(expected.begin(), expected.end());
    right &= std::equal(expected.begin(), expected.end(), s.begin() + block * kTile);
    right &= std::equal(sums.begin(), sums.end(), p.begin() + block * kTile);
    right &= total[block] == sums.back();
  }
  expect(right, "block algorithms");
}

void warps(const std::vector<int>& host, DeviceArray<int>& device) {
  DeviceArray<int> sums(4), scans(128);
  warpAlgorithms<<<1, 128>>>(device.get(), sums.get(), scans.get());
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> s = sums.values(), c = scans.values();
  bool right = true;
  for (int warp = 0; warp < 4; ++warp) {
    int sum = 0;
    for (int lane = 0; lane < 32; ++lane) {
      right &= c[warp * 32 + lane] == sum;
      sum += host[warp * 32 + lane];
    }
    right &= s[warp] == sum;
  }
  expect(right, "warp algorithms");
}

}  // namespace

int main() {
  const std::vector<int> host = numbers();
  DeviceArray<int> device(host);
  reductions(host, device);
  scans(host, device);
  sorts(host, device);
  selections(host, device);
  histograms(host, device);
  runLengths(host);
  blocks(host, device);
  warps(host, device);
  return failed ? 1 : 0;
}
