// What only GPUs of compute capability 9.0 have: clusters, bulk copies, products of warp groups. Prints rows as `micro --csv` does.
#include <cuda.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../workloads/micro/bandwidth.cuh"
#include "../../workloads/micro/report.hpp"

namespace micro {
namespace {

constexpr int kRounds = 64;
constexpr unsigned kSharedBytes = 200 * 1024;  // more than half of an SM's: one block a multiprocessor

extern __shared__ __align__(1024) char tile[];

__device__ unsigned sharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }
__device__ unsigned rankInCluster() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ unsigned clusterBlocks() {
  unsigned blocks;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  return blocks;
}
__device__ unsigned inBlock(unsigned address, unsigned rank) {
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
}
__device__ void synchroniseCluster() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }

template <class... Parameters, class... Arguments>
void launchClusters(void (*kernel)(Parameters...), int blocks, int threads, int cluster, Arguments... arguments) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3(blocks);
  configuration.blockDim = dim3(threads);
  configuration.dynamicSmemBytes = kSharedBytes;
  cudaLaunchAttribute shape{};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = cluster;
  shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
  configuration.attrs = &shape;
  configuration.numAttrs = 1;
  cudaLaunchKernelEx(&configuration, kernel, Parameters(arguments)...);
  workloads::finishKernels();
}

// --- shared memory of another block

// A chain of loads through words of the block of a rank, seen from rank 0.
__global__ void chaseRemote(unsigned rank, Clock* took) {
  const unsigned mine = sharedAddress(tile);
  if (threadIdx.x == 0) *reinterpret_cast<unsigned*>(tile) = rank == ~0U ? mine : inBlock(mine, rankInCluster());
  synchroniseCluster();
  if (rankInCluster() == 0 && threadIdx.x == 0) {
    unsigned place = rank == ~0U ? mine : inBlock(mine, rank);
    for (int pass = 0; pass < 2; ++pass) {
      const Clock begin = readClock();
#pragma unroll
      for (int i = 0; i < kRounds; ++i) {
        if (rank == ~0U) {
          asm volatile("ld.shared.u32 %0, [%0];" : "+r"(place) : : "memory");
        } else {
          asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(place) : : "memory");
        }
      }
      await(place);
      took[pass] = readClock() - begin;
    }
  }
  synchroniseCluster();
}

enum class Way { load, store, add };

// Each block reads, writes or adds to its neighbour's memory, `Bytes` a lane at a time.
template <Way Does, int Bytes>
__global__ void neighbour(int rounds, unsigned* sink, Clock* took) {
  const unsigned there = inBlock(sharedAddress(tile), (rankInCluster() + 1) % clusterBlocks()) + threadIdx.x * Bytes;
  unsigned value = threadIdx.x;
  synchroniseCluster();
  const Clock begin = readClock();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const unsigned at = there + i * blockDim.x * Bytes;
      if constexpr (Does == Way::add) {
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" : : "r"(at), "r"(1) : "memory");
      } else if constexpr (Does == Way::store && Bytes == 16) {
        asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" : : "r"(at), "r"(value) : "memory");
      } else if constexpr (Does == Way::store) {
        asm volatile("st.shared::cluster.u32 [%0], %1;" : : "r"(at), "r"(value) : "memory");
      } else if constexpr (Bytes == 16) {
        uint4 word;
        asm volatile("ld.volatile.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                     : "r"(at)
                     : "memory");
        value ^= word.x ^ word.y ^ word.z ^ word.w;
      } else {
        unsigned word;
        asm volatile("ld.volatile.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
        value ^= word;
      }
    }
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = value;
  synchroniseCluster();
  if (threadIdx.x == 0) took[blockIdx.x] = readClock() - begin;
}

template <Way Does, int Bytes>
void measureNeighbours(Report& report, const std::string& does) {
  constexpr int kTimes = 64;
  for (const int cluster : {2, 4, 8}) {
    for (const int blocks : {cluster, 128}) {
      for (const int threads : {128, 1024}) {
        workloads::DeviceArray<unsigned> sink(static_cast<size_t>(blocks) * threads);
        workloads::DeviceArray<Clock> took(blocks);
        for (int pass = 0; pass < 2; ++pass)
          launchClusters(neighbour<Does, Bytes>, blocks, threads, cluster, kTimes, sink.data(), took.data());
        const std::vector<Clock> cycles = took.download();
        const double longest = static_cast<double>(*std::max_element(cycles.begin(), cycles.end()));
        report.row(does + " bytes=" + std::to_string(Bytes) + " cluster=" + std::to_string(cluster) + " blocks=" + std::to_string(blocks) +
                       " threads=" + std::to_string(threads),
                   8.0 * kTimes * threads * Bytes / longest, "bytes/cycle/SM");
      }
    }
  }
}

// Relaxed arrivals publish nothing.
__global__ void barrierRepeatedly(bool isRelaxed, Clock* took) {
  for (int pass = 0; pass < 2; ++pass) {
    const Clock begin = readClock();
    if (isRelaxed) {
#pragma unroll 1
      for (int i = 0; i < kRounds; ++i) asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;");
    } else {
#pragma unroll 1
      for (int i = 0; i < kRounds; ++i) synchroniseCluster();
    }
    if (threadIdx.x == 0 && blockIdx.x == 0) took[pass] = readClock() - begin;
  }
}

// A fence of each scope, by the threads of a block; Stores: words of its own that each thread has written just before.
enum class Scope { cta, cluster, gpu, sys };
template <Scope Of, int Stores>
__global__ void fences(unsigned* words, Clock* took) {
  for (int pass = 0; pass < 2; ++pass) {
    const Clock begin = readClock();
#pragma unroll 1
    for (int i = 0; i < kRounds; ++i) {
#pragma unroll
      for (int store = 0; store < Stores; ++store)
        asm volatile("st.global.u32 [%0], %1;" : : "l"(words + (store * 1024 + threadIdx.x)), "r"(i) : "memory");
      if constexpr (Of == Scope::cta) asm volatile("fence.acq_rel.cta;" ::: "memory");
      if constexpr (Of == Scope::cluster) asm volatile("fence.acq_rel.cluster;" ::: "memory");
      if constexpr (Of == Scope::gpu) asm volatile("fence.acq_rel.gpu;" ::: "memory");
      if constexpr (Of == Scope::sys) asm volatile("fence.acq_rel.sys;" ::: "memory");
    }
    if (threadIdx.x == 0) took[pass] = readClock() - begin;
  }
}

template <Scope Of, int Stores>
void measureFence(Report& report, const std::string& scope) {
  workloads::DeviceArray<unsigned> words(8 * 1024);
  workloads::DeviceArray<Clock> took(2);
  for (const int threads : {32, 128, 1024}) {
    fences<Of, Stores><<<1, threads>>>(words.data(), took.data());
    workloads::finishKernels();
    report.row(scope + " stores=" + std::to_string(Stores) + " threads=" + std::to_string(threads),
               static_cast<double>(took.download()[1]) / kRounds, "cycles");
  }
}

void measureFences(Report& report) {
  report.begin("fences", "a fence, and the stores of each thread before it");
  measureFence<Scope::cta, 0>(report, "cta");
  measureFence<Scope::cta, 1>(report, "cta");
  measureFence<Scope::cluster, 0>(report, "cluster");
  measureFence<Scope::cluster, 1>(report, "cluster");
  measureFence<Scope::gpu, 0>(report, "gpu");
  measureFence<Scope::gpu, 1>(report, "gpu");
  measureFence<Scope::gpu, 4>(report, "gpu");
  measureFence<Scope::sys, 0>(report, "sys");
}

void measureClusters(Report& report) {
  report.begin("clusters", "shared memory of other blocks");
  workloads::DeviceArray<Clock> took(2);
  launchClusters(chaseRemote, 2, 32, 2, ~0U, took.data());
  report.row("load own", static_cast<double>(took.download()[1]) / kRounds, "cycles");
  for (const int cluster : {1, 2, 4, 8, 16}) {
    for (int rank = 0; rank < cluster; ++rank) {
      launchClusters(chaseRemote, cluster, 32, cluster, static_cast<unsigned>(rank), took.data());
      report.row("load cluster=" + std::to_string(cluster) + " rank=" + std::to_string(rank),
                 static_cast<double>(took.download()[1]) / kRounds, "cycles");
    }
  }
  for (const int cluster : {1, 2, 4, 8, 16})
    for (const int threads : {32, 128, 1024})
      for (const bool isRelaxed : {false, true}) {
        launchClusters(barrierRepeatedly, cluster, threads, cluster, isRelaxed, took.data());
        report.row(
            std::string(isRelaxed ? "relaxed " : "") + "barrier cluster=" + std::to_string(cluster) + " threads=" + std::to_string(threads),
            static_cast<double>(took.download()[1]) / kRounds, "cycles");
      }
}

void measureAllNeighbours(Report& report) {
  report.begin("neighbours", "what each block moves to or from the next one of its cluster");
  measureNeighbours<Way::load, 4>(report, "load");
  measureNeighbours<Way::load, 16>(report, "load");
  measureNeighbours<Way::store, 4>(report, "store");
  measureNeighbours<Way::store, 16>(report, "store");
  measureNeighbours<Way::add, 4>(report, "add");
}

// --- mbarrier objects and bulk copies

__device__ void beginPhase(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(bytes) : "memory");
}
// test_wait polls; behind try_wait a thread may sleep for a while that is not the copy's.
__device__ void awaitPhase(unsigned barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\nagain: mbarrier.test_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again; }"
               :
               : "r"(barrier), "r"(parity)
               : "memory");
}
__device__ void initialise(unsigned barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" : : "r"(barrier) : "memory");
}
__device__ void bulkLoad(unsigned to, const void* from, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :
               : "r"(to), "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
__device__ void bulkStore(void* to, unsigned from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group;"
               :
               : "l"(to), "r"(from), "r"(bytes)
               : "memory");
}

enum class Path { arrive, load, store, storeRead };

// Cycles from the issue of a copy to the first moment at which a single test finds it complete: polling would see multiples of its own
// time.
template <class Copy>
__device__ Clock cyclesUntilThere(unsigned barrier, Copy copy) {
  unsigned phase = 0;
  for (Clock patience = 0;; patience += 4) {
    const Clock begin = readClock();
    copy();
    while (readClock() < begin + patience)
      ;
    const Clock asked = readClock();
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier), "r"(phase % 2)
                 : "memory");
    if (done != 0 && patience != 0) return asked - begin;
    awaitPhase(barrier, phase++ % 2);
  }
}

// One thread; took[i] of a copy that nothing else competes with: from its issue until the thread sees that it is complete. The first
// brings the bytes to L2.
template <Path Way>
__global__ void oneCopy(char* words, unsigned bytes, Clock* took) {
  __shared__ unsigned long long object;
  const unsigned barrier = sharedAddress(&object), here = sharedAddress(tile);
  if (threadIdx.x == 0) initialise(barrier);
  synchroniseCluster();
  for (int i = 0; i < 8 && threadIdx.x == 0 && rankInCluster() == 0; ++i) {
    const Clock begin = readClock();
    if constexpr (Way == Path::arrive) {
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(barrier) : "memory");
      awaitPhase(barrier, i % 2);
    } else if constexpr (Way == Path::load) {
      took[7] = cyclesUntilThere(barrier, [&] {
        beginPhase(barrier, bytes);
        bulkLoad(here, words, bytes, barrier);
      });
      break;
    } else {
      bulkStore(words, here, bytes);
      if constexpr (Way == Path::store) {
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
      } else {
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      }
    }
    took[i] = readClock() - begin;
  }
  __syncwarp();
  synchroniseCluster();
}

// There and back: the first block of two copies to the second, which answers when it has it all.
__global__ void exchange(unsigned bytes, Clock* took) {
  __shared__ unsigned long long object;
  const unsigned barrier = sharedAddress(&object), here = sharedAddress(tile);
  const unsigned rank = rankInCluster(), other = 1 - rank;
  if (threadIdx.x == 0) initialise(barrier);
  synchroniseCluster();
  for (int i = 0; i < 8 && threadIdx.x == 0; ++i) {
    const auto send = [&] {
      asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   :
                   : "r"(inBlock(here + kSharedBytes / 2, other)), "r"(here), "r"(bytes), "r"(inBlock(barrier, other))
                   : "memory");
    };
    const Clock begin = readClock();
    beginPhase(barrier, bytes);
    if (rank == 0) send();
    awaitPhase(barrier, i % 2);
    if (rank == 1) send();
    if (rank == 0) took[i] = readClock() - begin;
  }
  __syncwarp();
  synchroniseCluster();
}

void measureExchange(Report& report) {
  workloads::DeviceArray<Clock> took(8);
  for (const unsigned bytes : {16U, 128U, 256U, 512U, 1024U, 2048U, 4096U, 8192U, 16384U, 32768U, 65536U}) {
    launchClusters(exchange, 2, 32, 2, bytes, took.data());
    report.row("to the other block and back by half bytes=" + std::to_string(bytes), static_cast<double>(took.download()[7]) / 2, "cycles");
  }
}

template <Path Way>
void measureCopy(Report& report, const std::string& what, std::initializer_list<unsigned> sizes) {
  workloads::DeviceArray<char> words(kSharedBytes);
  workloads::DeviceArray<Clock> took(8);
  for (const unsigned bytes : sizes) {
    launchClusters(oneCopy<Way>, 1, 32, 1, words.data(), bytes, took.data());
    report.row(what + (bytes == 0 ? "" : " bytes=" + std::to_string(bytes)), static_cast<double>(took.download()[7]), "cycles");
  }
}

// One thread a block keeps `Stages` copies under way; the bytes lie in L2 when a block's part is small. All are powers of two.
template <unsigned Stages>
__global__ void copyStream(const char* words, unsigned bytes, unsigned copies, size_t apart, unsigned parts, Clock* took) {
  __shared__ unsigned long long objects[Stages];
  if (threadIdx.x != 0) return;
  for (unsigned long long& each : objects) initialise(sharedAddress(&each));
  const char* const first = words + blockIdx.x * apart;
  const Clock begin = readClock();
  for (unsigned i = 0; i < copies + Stages; ++i) {
    const unsigned stage = i % Stages, barrier = sharedAddress(objects + stage);
    if (i >= Stages) awaitPhase(barrier, (i / Stages - 1) % 2);
    if (i >= copies) continue;
    beginPhase(barrier, bytes);
    bulkLoad(sharedAddress(tile + stage * bytes), first + (i & (parts - 1)) * bytes, bytes, barrier);
  }
  took[blockIdx.x] = readClock() - begin;
}

template <unsigned Stages>
void measureStream(Report& report, const workloads::DeviceArray<char>& words, size_t wordBytes, bool fromDram, int blocks, unsigned bytes) {
  const unsigned copies = bytes < 4096 ? 512 : 128, parts = fromDram ? copies : 8;
  const size_t apart = size_t{bytes} * parts;
  workloads::DeviceArray<Clock> took(blocks);
  for (int pass = 0; pass < 2; ++pass) {
    if (fromDram) cudaMemset(const_cast<char*>(words.data()) + wordBytes / 2, pass, wordBytes / 2);  // displaces L2
    launchClusters(copyStream<Stages>, blocks, 32, 1, words.data(), bytes, copies, apart, parts, took.data());
  }
  const std::vector<Clock> cycles = took.download();
  const double longest = static_cast<double>(*std::max_element(cycles.begin(), cycles.end()));
  report.row(std::string(fromDram ? "stream from DRAM" : "stream from L2") + " blocks=" + std::to_string(blocks) +
                 " bytes=" + std::to_string(bytes) + " stages=" + std::to_string(Stages),
             static_cast<double>(bytes) * copies / longest, "bytes/cycle/SM");
}

void measureStreams(Report& report) {
  report.begin("streams", "bulk copies under way all the time, by one thread of each block");
  constexpr size_t kBytes = size_t{1} << 30;
  const workloads::DeviceArray<char> words(kBytes);
  for (const bool fromDram : {false, true})
    for (const int blocks : {1, static_cast<int>(attribute(cudaDevAttrMultiProcessorCount))})
      for (const unsigned bytes : {128U, 1024U, 4096U, 16384U}) {
        measureStream<1>(report, words, kBytes, fromDram, blocks, bytes);
        measureStream<4>(report, words, kBytes, fromDram, blocks, bytes);
        measureStream<8>(report, words, kBytes, fromDram, blocks, bytes);
      }
  measureStream<4>(report, words, kBytes, false, 1, 32768);
}

// A tile of 64 x 64 words of two bytes, swizzled as products want it.
__global__ void oneTile(const __grid_constant__ CUtensorMap map, Clock* took) {
  __shared__ unsigned long long object;
  if (threadIdx.x != 0) return;
  const unsigned barrier = sharedAddress(&object);
  initialise(barrier);
  *took = cyclesUntilThere(barrier, [&] {
    beginPhase(barrier, 8192);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %2}], [%3];"
                 :
                 : "r"(sharedAddress(tile)), "l"(&map), "r"(0), "r"(barrier)
                 : "memory");
  });
}

void measureTile(Report& report) {
  constexpr cuuint64_t kSide = 1024;
  const workloads::DeviceArray<char> words(kSide * kSide * 2);
  workloads::DeviceArray<Clock> took(1);
  CUtensorMap map{};
  const cuuint64_t sizes[] = {kSide, kSide}, strides[] = {kSide * 2};
  const cuuint32_t box[] = {64, 64}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<char*>(words.data()), sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  cudaFuncSetAttribute(oneTile, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  oneTile<<<1, 32, kSharedBytes>>>(map, took.data());
  workloads::finishKernels();
  report.row("tile of 64 x 64 halves with 128-byte swizzle", static_cast<double>(took.download()[0]), "cycles");
}

void measureBulk(Report& report) {
  report.begin("bulk", "bulk copies by one thread, from issue until it sees them complete; an mbarrier object's phase of one arrival");
  measureCopy<Path::arrive>(report, "arrival and wait", {0});
  measureCopy<Path::load>(report, "load from L2", {16, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536});
  measureCopy<Path::store>(report, "store", {16, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536});
  measureCopy<Path::storeRead>(report, "store until read", {16, 128, 1024, 4096, 16384, 65536});
  measureExchange(report);
  measureTile(report);
}

// --- products of warp groups

struct Product {
  std::string shape, types;
  int columns;
  bool aInRegisters, wordSums;
};

// A kernel of `products` products into the same sums, timed as a whole; the text, as each shape has operands of its own.
std::string productText(const Product& product, int products) {
  const int sums = product.columns / 2;
  std::string list;
  for (int i = 0; i < sums; ++i) list += (i == 0 ? "s" : ", s") + std::to_string(i);
  const std::string word = product.wordSums ? "s32" : "f32";
  std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n"
      ".visible .entry products(.param .u64 took)\n{\n.reg .pred on;\n.reg .b64 begin, end, a, b, to, time;\n.reg .b32 t, z;\n.reg .b32 "
      "r<4>;\n.reg ." +
      word + " s<" + std::to_string(sums) + ">;\n";
  text +=
      "mov.b32 z, 0;\nmov.b32 r0, 0;\nmov.b32 r1, 0;\nmov.b32 r2, 0;\nmov.b32 r3, 0;\nmov.u32 t, tile;\n"
      "cvt.u64.u32 a, t;\nshr.b64 a, a, 4;\nor.b64 a, a, 0x4000004000010000;\nadd.s64 b, a, 1024;\nsetp.eq.b32 on, z, z;\n";
  for (int i = 0; i < sums; ++i) text += "mov.b32 s" + std::to_string(i) + (product.wordSums ? ", 0;\n" : ", 0f00000000;\n");
  // Which way matrices of 16-bit words lie: along their depth. Others can lie no other way.
  const bool halves = product.shape.substr(product.shape.size() - 3) == "k16";
  std::string flags = product.wordSums ? "" : ", 1, 1";
  if (halves) flags += product.aInRegisters ? ", 0" : ", 0, 0";
  const std::string instruction = "wgmma.mma_async.sync.aligned." + product.shape + "." + product.types + " {" + list + "}, " +
                                  (product.aInRegisters ? "{r0, r1, r2, r3}" : "a") + ", b, on" + flags + ";\n";
  for (int pass = 0; pass < 2; ++pass) {
    text += "bar.sync 0;\nmov.u64 begin, %clock64;\nwgmma.fence.sync.aligned;\n";
    for (int i = 0; i < products; ++i) text += instruction;
    text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nmov.u64 end, %clock64;\n";
  }
  text +=
      "sub.s64 time, end, begin;\nld.param.u64 to, [took];\nmov.u32 t, %tid.x;\nmad.wide.u32 to, t, 8, to;\nst.global.u64 [to], time;\n";
  // The sums are of use to nobody, but must not fall away.
  text += "setp.eq.u64 on, time, 0;\n";
  for (int i = 0; i < sums; ++i) text += "@on st.global." + word + " [to], s" + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

double productCycles(const Product& product, int products, int threads) {
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  const std::string text = productText(product, products);
  if (cuModuleLoadData(&module, text.c_str()) != CUDA_SUCCESS) return -1;
  cuModuleGetFunction(&kernel, module, "products");
  cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kSharedBytes);
  workloads::DeviceArray<Clock> took(threads);
  Clock* to = took.data();
  void* arguments[] = {&to};
  cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, kSharedBytes, nullptr, arguments, nullptr);
  workloads::finishKernels();
  const std::vector<Clock> cycles = took.download();
  cuModuleUnload(module);
  return static_cast<double>(*std::max_element(cycles.begin(), cycles.end()));
}

void measureProducts(Report& report) {
  report.begin("wgmma", "products of warp groups: one, fence to wait; each further one of a chain");
  std::vector<Product> shapes;
  for (const bool inRegisters : {false, true}) {
    for (const int n : {8, 16, 24, 32, 64, 96, 128, 192, 256})
      shapes.push_back({"m64n" + std::to_string(n) + "k16", "f32.f16.f16", n, inRegisters, false});
    for (const int n : {8, 64, 128, 256}) {
      shapes.push_back({"m64n" + std::to_string(n) + "k16", "f32.bf16.bf16", n, inRegisters, false});
      shapes.push_back({"m64n" + std::to_string(n) + "k8", "f32.tf32.tf32", n, inRegisters, false});
      shapes.push_back({"m64n" + std::to_string(n) + "k32", "f32.e4m3.e4m3", n, inRegisters, false});
      shapes.push_back({"m64n" + std::to_string(n) + "k32", "s32.s8.s8", n, inRegisters, true});
    }
  }
  constexpr int kMany = 16;
  for (const Product& shape : shapes) {
    for (const int threads : {128, 256}) {
      const std::string what =
          shape.shape + " " + shape.types + (shape.aInRegisters ? " a in registers" : "") + " threads=" + std::to_string(threads);
      const double one = productCycles(shape, 1, threads), many = productCycles(shape, 1 + kMany, threads);
      report.row(what + " one", one, "cycles");
      report.row(what + " each", (many - one) / kMany, "cycles");
    }
  }
}

// --- L2 as each SM sees it

// The SM of that number alone, once for each line; the second pass finds all of them in L2.
__global__ void lineLatencies(unsigned only, const char* words, int lines, int pitch, unsigned short* took) {
  unsigned here;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
  if (here != only) return;
  for (int pass = 0; pass < 2; ++pass) {
    for (int line = 0; line < lines; ++line) {
      const Clock begin = readClock();
      unsigned value;
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(words + static_cast<size_t>(line) * pitch) : "memory");
      await(value);
      took[line] = static_cast<unsigned short>(readClock() - begin);
    }
  }
}

void measureLines(Report& report) {
  report.begin("lines", "cycles of a load of a line that L2 holds, by SM and line");
  constexpr int kLines = 64, kPitch = 4096 + 128;
  const workloads::DeviceArray<char> words(kLines * kPitch);
  const int multiprocessors = static_cast<int>(attribute(cudaDevAttrMultiProcessorCount));
  for (int sm = 0; sm < multiprocessors; ++sm) {
    workloads::DeviceArray<unsigned short> took(kLines);
    lineLatencies<<<multiprocessors * 4, 32>>>(static_cast<unsigned>(sm), words.data(), kLines, kPitch, took.data());
    workloads::finishKernels();
    const std::vector<unsigned short> cycles = took.download();
    for (int line = 0; line < kLines; ++line)
      report.row("sm=" + std::to_string(sm) + " line=" + std::to_string(line), cycles[line], "cycles");
  }
}

int all(const std::vector<std::string>& asked) {
  Report report(true);
  const auto isAsked = [&](const char* part) { return asked.empty() || std::find(asked.begin(), asked.end(), part) != asked.end(); };
  if (isAsked("clusters")) measureClusters(report);
  if (isAsked("fences")) measureFences(report);
  if (isAsked("neighbours")) measureAllNeighbours(report);
  if (isAsked("bulk")) measureBulk(report);
  if (isAsked("streams")) measureStreams(report);
  if (isAsked("wgmma")) measureProducts(report);
  if (isAsked("lines")) measureLines(report);
  return 0;
}

}  // namespace
}  // namespace micro

// usage: hopper [clusters | fences | neighbours | bulk | streams | wgmma | lines]...
int main(int count, char** words) { return micro::all({words + 1, words + count}); }
