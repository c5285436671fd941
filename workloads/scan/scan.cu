// Exclusive prefix sum of a long array: the work-efficient tree (Blelloch 1990) in shared memory within a block, block sums
// scanned by the same kernel one level up, and then added to every block.
#include <memory>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr int kElements = 2 * kThreads;  // per block

// Scans each block's 512 elements and stores the block's total.
__global__ void scanBlocks(const unsigned* in, unsigned* out, unsigned* blockSums, int n) {
  __shared__ unsigned tree[kElements];
  const int thread = threadIdx.x;
  const int first = blockIdx.x * kElements + thread;
  const int second = first + kThreads;
  tree[thread] = first < n ? in[first] : 0;
  tree[thread + kThreads] = second < n ? in[second] : 0;

  int stride = 1;
  for (int nodes = kThreads; nodes > 0; nodes /= 2) {  // up: sums of ever larger subtrees
    __syncthreads();
    if (thread < nodes) {
      const int left = stride * (2 * thread + 1) - 1;
      tree[left + stride] += tree[left];
    }
    stride *= 2;
  }
  if (thread == 0) {
    blockSums[blockIdx.x] = tree[kElements - 1];
    tree[kElements - 1] = 0;
  }
  for (int nodes = 1; nodes <= kThreads; nodes *= 2) {  // down: every node passes on what lies to its left
    stride /= 2;
    __syncthreads();
    if (thread < nodes) {
      const int left = stride * (2 * thread + 1) - 1;
      const unsigned sum = tree[left];
      tree[left] = tree[left + stride];
      tree[left + stride] += sum;
    }
  }
  __syncthreads();
  if (first < n) out[first] = tree[thread];
  if (second < n) out[second] = tree[thread + kThreads];
}

__global__ void addBlockSums(unsigned* out, const unsigned* offsets, int n) {
  const unsigned offset = offsets[blockIdx.x];
  const int first = blockIdx.x * kElements + threadIdx.x;
  const int second = first + kThreads;
  if (first < n) out[first] += offset;
  if (second < n) out[second] += offset;
}

// The arrays of one level of the recursion; `upper` scans the block sums.
struct Level {
  explicit Level(int count) : n(count), blocks(divideUp(count, kElements)), sums(blocks), offsets(blocks) {
    if (blocks > 1) upper = std::make_unique<Level>(blocks);
  }
  int n, blocks;
  DeviceArray<unsigned> sums, offsets;
  std::unique_ptr<Level> upper;
};

void scan(const unsigned* in, unsigned* out, const Level& level) {
  scanBlocks<<<level.blocks, kThreads>>>(in, out, level.sums.data(), level.n);
  if (!level.upper) return;
  scan(level.sums.data(), level.offsets.data(), *level.upper);
  addBlockSums<<<level.blocks, kThreads>>>(out, level.offsets.data(), level.n);
}

void referenceScan(const std::vector<unsigned>& in, std::vector<unsigned>& out) {
  unsigned sum = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    out[i] = sum;
    sum += in[i];
  }
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"scan",
                                        "exclusive prefix sum, work-efficient tree in shared memory with block sums",
                                        "300,000 elements",
                                        "4,000,000 elements",
                                        "16,777,216 elements",
                                        {}});
  const int n = options.pick(300'000, 4'000'000, 16'777'216);

  Random random(5);
  std::vector<unsigned> in(n), expected(n);
  for (unsigned& value : in) value = random.below(1000);

  Timings timings;
  const DeviceArray<unsigned> deviceIn(in), deviceOut(n);
  const Level level(n);
  timings.kernels([&] { scan(deviceIn.data(), deviceOut.data(), level); });
  timings.reference([&] { referenceScan(in, expected); });
  timings.print();
  return report("scan", expectEqual("out", expected, deviceOut.download()));
}
