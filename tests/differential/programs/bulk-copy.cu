// Bulk copies by inline PTX: loads that complete phases, stores and reductions by groups.
// arch: 90
#include "check.hpp"

__device__ unsigned sharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__device__ void begin(unsigned barrier) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
}
__device__ void load(unsigned to, const void* from, unsigned bytes, unsigned barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
__device__ void await(unsigned barrier, unsigned parity) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
  }
}

// Two buffers: the next piece comes while the last is turned round, in place, and stored.
__global__ void reversedPieces(const int* in, int* out, int pieces) {
  constexpr int kPiece = 256;
  __shared__ __align__(128) int tile[2][kPiece];
  __shared__ unsigned long long storage[2];
  const int t = threadIdx.x;
  for (unsigned long long& each : storage) begin(sharedAddress(&each));
  if (t == 0) load(sharedAddress(tile[0]), in, sizeof tile[0], sharedAddress(&storage[0]));
  for (int piece = 0; piece < pieces; ++piece) {
    const int stage = piece % 2;
    if (t == 0 && piece + 1 < pieces) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      load(sharedAddress(tile[1 - stage]), in + (piece + 1) * kPiece, sizeof tile[0], sharedAddress(&storage[1 - stage]));
    }
    await(sharedAddress(&storage[stage]), piece / 2 % 2);
    const int value = tile[stage][kPiece - 1 - t];
    __syncthreads();
    tile[stage][t] = value;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + piece * kPiece), "r"(sharedAddress(tile[stage])),
                   "r"(static_cast<unsigned>(sizeof tile[0]))
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void addUp(unsigned* sums, int* greatest) {
  __shared__ __align__(16) unsigned tile[128];
  const unsigned t = threadIdx.x;
  tile[t] = t * (blockIdx.x + 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 512;" ::"l"(sums), "r"(sharedAddress(tile)) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], 512;" ::"l"(greatest), "r"(sharedAddress(tile)) : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

int main() {
  constexpr int kPieces = 7, kPiece = 256;
  Buffer<int> in(table(kPieces * kPiece, [](size_t i) { return static_cast<int>(5 * i + 1); })), out(kPieces * kPiece);
  reversedPieces<<<1, kPiece>>>(in, out, kPieces);
  check::same(out.read(), table(kPieces * kPiece, [](size_t i) { return static_cast<int>(5 * (i / kPiece * kPiece + kPiece - 1 - i % kPiece) + 1); }),
              "pieces");
  Buffer<unsigned> sums(128);
  Buffer<int> greatest(128);
  addUp<<<20, 128>>>(sums, greatest);
  check::same(sums.read(), table(128, [](size_t i) { return static_cast<unsigned>(i * 210); }), "sums");
  check::same(greatest.read(), table(128, [](size_t i) { return static_cast<int>(i * 20); }), "greatest");
  return check::finish();
}
