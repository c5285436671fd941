// cooperative_groups::memcpy_async: by a block and by a tile, of every alignment, with one and two batches on the way.
// arch: 80
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "check.hpp"

namespace cg = cooperative_groups;

constexpr int kThreads = 128, kBatch = 256;

__global__ void byBlock(const int* in, int* out) {
  __shared__ int stage[2][kBatch];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage[0], in, sizeof stage[0]);
  cg::memcpy_async(block, stage[1], in + kBatch, sizeof stage[1]);
  cg::wait_prior<1>(block);
  for (int i = threadIdx.x; i < kBatch; i += kThreads) out[i] = stage[0][kBatch - 1 - i];
  cg::wait(block);
  for (int i = threadIdx.x; i < kBatch; i += kThreads) out[kBatch + i] = stage[1][kBatch - 1 - i];
}

// 3 bytes too far and 61 bytes long: no piece is aligned.
__global__ void byTile(const char* in, char* out) {
  __shared__ char stage[64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::memcpy_async(tile, stage + 3, in + 3, 61);
  cg::wait(tile);
  for (int i = 3 + threadIdx.x; i < 64; i += 32) out[i] = stage[i];
}

int main() {
  const auto numbers = table(2 * kBatch, [](size_t i) { return static_cast<int>(i * i); });
  Buffer<int> in(numbers), out(2 * kBatch);
  byBlock<<<1, kThreads>>>(in, out);
  check::same(out.read(), table(2 * kBatch, [&](size_t i) { return numbers[i / kBatch * kBatch + kBatch - 1 - i % kBatch]; }), "by a block");
  const auto letters = table(64, [](size_t i) { return static_cast<char>(i + 32); });
  Buffer<char> from(letters), to(64);
  byTile<<<1, 32>>>(from, to);
  check::same(to.read(), table(64, [&](size_t i) { return i < 3 ? char(0) : letters[i]; }), "by a tile");
  return check::finish();
}
