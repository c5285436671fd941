// Functions that take whichever group they are given (thread_group), and shuffles of structures.
// levels: 0 2
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.hpp"

namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group group, int* scratch, int value) {
  const int rank = static_cast<int>(group.thread_rank());
  for (int half = static_cast<int>(group.size()) / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}

__global__ void anyGroup(int* out) {
  __shared__ int scratch[64];
  const cg::thread_block block = cg::this_thread_block();
  const int i = static_cast<int>(block.thread_rank());
  const int ofBlock = sum(block, scratch, i);
  block.sync();
  const auto sixteen = cg::tiled_partition<16>(block);
  const int ofSixteen = sum(sixteen, scratch + i / 16 * 16, i);
  block.sync();
  const cg::thread_group four = cg::tiled_partition(block, 4);
  const int ofFour = sum(four, scratch + i / 4 * 4, i);
  block.sync();
  int ofOdd = 0;
  if (i % 2 == 1) ofOdd = sum(cg::coalesced_threads(), scratch + i / 32 * 32, i);
  out[i] = i == 0 ? ofBlock : 0;
  out[64 + i] = i % 16 == 0 ? ofSixteen : 0;
  out[128 + i] = i % 4 == 0 ? ofFour + static_cast<int>(four.size()) : 0;
  out[192 + i] = i % 32 == 1 ? ofOdd : 0;
}

struct Record {
  double weight;
  int index;
  bool odd;
  char name[3];
};

__global__ void structures(uint4* quads, Record* records, short* shorts) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = threadIdx.x;
  quads[i] = warp.shfl_xor(make_uint4(i, 1, 2, 3), 1);
  Record record;
  if (i == 5) record = {0.5, 7, true, {'a', 'b', 'c'}};
  records[i] = warp.shfl(record, 5);
  shorts[i] = warp.shfl_down(static_cast<short>(-static_cast<int>(i)), 2);
  if (i % 3 == 0) {
    const auto some = cg::coalesced_threads();
    quads[32 + i] = some.shfl(make_uint4(i, i + 1, 0, 0), some.size() - 1);
  }
}

int main() {
  Buffer<int> out(256);
  anyGroup<<<1, 64>>>(out);
  check::same(out.read(), table(256, [](size_t index) {
    const int i = static_cast<int>(index % 64);
    switch (index / 64) {
      case 0: return i == 0 ? 2016 : 0;
      case 1: return i % 16 == 0 ? 16 * i + 120 : 0;
      case 2: return i % 4 == 0 ? 4 * i + 6 + 4 : 0;
      default: return i % 32 == 1 ? 16 * i + 240 : 0;
    }
  }), "any group");
  Buffer<uint4> quads(64);
  Buffer<Record> records(32);
  Buffer<short> shorts(32);
  structures<<<1, 32>>>(quads, records, shorts);
  check::same(quads.read(), table(64, [](size_t index) {
    const auto i = static_cast<unsigned>(index);
    return i < 32 ? make_uint4(i ^ 1, 1, 2, 3) : (i - 32) % 3 == 0 ? make_uint4(30, 31, 0, 0) : make_uint4(0, 0, 0, 0);
  }), "four words");
  bool same = true;
  for (const Record& record : records.read())
    same &= record.weight == 0.5 && record.index == 7 && record.odd && std::memcmp(record.name, "abc", 3) == 0;
  check::that(same, "structures with padding");
  check::same(shorts.read(), table(32, [](size_t i) { return static_cast<short>(i < 30 ? -static_cast<int>(i) - 2 : -static_cast<int>(i)); }), "16 bits");
  return check::finish();
}
