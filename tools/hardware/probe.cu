// Figures of a GPU that workloads/micro does not ask for yet: where code comes from, how much an SM has under way, stores and atomics of
// all SMs, matrix instructions, more classes of instructions. Prints rows as `micro --csv` does.
#include <functional>
#include <string>
#include <vector>

#include "../../workloads/micro/bandwidth.cuh"
#include "../../workloads/micro/report.hpp"

namespace micro {
namespace {

MICRO_INSTRUCTION(Logic, unsigned, "r", "lop3.b32 %0, %0, %1, %2, 0x96;");
MICRO_INSTRUCTION(PopulationCount, unsigned, "r", "popc.b32 %0, %0;");
MICRO_INSTRUCTION(FindLeading, unsigned, "r", "bfind.u32 %0, %0;");
MICRO_INSTRUCTION(Permute, unsigned, "r", "prmt.b32 %0, %0, %1, 0x3210;");
MICRO_INSTRUCTION(Funnel, unsigned, "r", "shf.l.wrap.b32 %0, %0, %1, %2;");
MICRO_INSTRUCTION(Minimum, unsigned, "r", "min.u32 %0, %0, %1;");
MICRO_INSTRUCTION(WideMultiplyAdd, unsigned long long, "l", "{ .reg .u32 t, u; mov.b64 {t, u}, %0; mad.wide.u32 %0, t, 3, %0; }");
MICRO_INSTRUCTION(AddDouble, double, "d", "add.f64 %0, %0, %1;");
MICRO_INSTRUCTION(AddFloat, float, "f", "add.f32 %0, %0, %1;");
MICRO_INSTRUCTION(HalfPair, unsigned, "r", "fma.rn.f16x2 %0, %0, %1, %2;");
MICRO_INSTRUCTION(Sine, float, "f", "sin.approx.f32 %0, %0;");
MICRO_INSTRUCTION(SquareRoot, float, "f", "sqrt.approx.ftz.f32 %0, %0;");
MICRO_INSTRUCTION(IntegerToFloat, unsigned, "r", "{ .reg .f32 t; cvt.rn.f32.u32 t, %0; mov.b32 %0, t; }");
MICRO_INSTRUCTION(FloatToHalf, unsigned, "r", "{ .reg .f32 t; .reg .b16 h; mov.b32 t, %0; cvt.rn.f16.f32 h, t; mov.b32 %0, {h, h}; }");
MICRO_INSTRUCTION(CompareAndSelect, unsigned, "r", "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %1, %2, p; }");
MICRO_INSTRUCTION(Vote, unsigned, "r", "{ .reg .pred p; setp.lt.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }");
MICRO_INSTRUCTION(ReduceAdd, unsigned, "r", "redux.sync.add.u32 %0, %0, 0xffffffff;");
MICRO_INSTRUCTION(MatchAny, unsigned, "r", "match.any.sync.b32 %0, %0, 0xffffffff;");

// D is C of the next one.
#define PROBE_MATRIX(NAME, SHAPE, TYPE)                                                   \
  struct NAME {                                                                           \
    using Place = float;                                                                  \
    Place second, third;                                                                  \
    __device__ void step(Place& value) const {                                            \
      float b = second, c = third, d = second;                                            \
      asm volatile("mma.sync.aligned." SHAPE ".row.col.f32." TYPE "." TYPE                \
                   ".f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};" \
                   : "+f"(value), "+f"(b), "+f"(c), "+f"(d)                               \
                   : "r"(__float_as_uint(second)));                                       \
    }                                                                                     \
  }
PROBE_MATRIX(MatrixHalf, "m16n8k16", "f16");
PROBE_MATRIX(MatrixTf32, "m16n8k8", "tf32");
#undef PROBE_MATRIX
struct MatrixByte {
  using Place = int;
  Place second, third;
  __device__ void step(Place& value) const {
    int b = second, c = third, d = second;
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
                 : "+r"(value), "+r"(b), "+r"(c), "+r"(d)
                 : "r"(second));
  }
};
struct MatrixDouble {
  using Place = double;
  Place second, third;
  __device__ void step(Place& value) const {
    double b = second;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};" : "+d"(value), "+d"(b) : "d"(third));
  }
};

void measureInstructionsToo(Report& report) {
  report.begin("instructions", "more classes");
  measureInstruction<Logic>(report, "lop3");
  measureInstruction<PopulationCount>(report, "popc");
  measureInstruction<FindLeading>(report, "bfind");
  measureInstruction<Permute>(report, "prmt");
  measureInstruction<Funnel>(report, "shf");
  measureInstruction<Minimum>(report, "min.u32");
  measureInstruction<WideMultiplyAdd>(report, "mad.wide.u32");
  measureInstruction<AddDouble>(report, "add.f64");
  measureInstruction<AddFloat>(report, "add.f32");
  measureInstruction<HalfPair>(report, "fma.f16x2");
  measureInstruction<Sine>(report, "sin.f32 (two instructions)");
  measureInstruction<SquareRoot>(report, "sqrt.f32");
  measureInstruction<IntegerToFloat>(report, "cvt.f32.u32");
  measureInstruction<FloatToHalf>(report, "cvt.f16.f32");
  measureInstruction<CompareAndSelect>(report, "setp and selp");
  measureInstruction<Vote>(report, "setp and vote");
  measureInstruction<ReduceAdd>(report, "redux.add");
  measureInstruction<MatchAny>(report, "match.any");
  measureInstruction<MatrixHalf>(report, "mma m16n8k16 f16");
  measureInstruction<MatrixTf32>(report, "mma m16n8k8 tf32");
  measureInstruction<MatrixByte>(report, "mma m16n8k32 s8");
  measureInstruction<MatrixDouble>(report, "mma m8n8k4 f64");
}

// Straight code of Count instructions of 16 bytes, in a loop: the first pass finds it in no cache near by, if `report` displaces them
// before; later ones where it fits.
template <int Count>
__global__ void straight(float operand, int passes, float* sink, Clock* took) {
  float value[4] = {operand, operand + 1, operand + 2, operand + 3};
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    const Clock begin = readClock();
#pragma unroll
    for (int i = 0; i < Count; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(value[i % 4]) : "f"(operand));
    const Clock end = clockWhenThere(value[0] + value[1] + value[2] + value[3]);
    if (threadIdx.x == 0) took[blockIdx.x * passes + pass] = end - begin;
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = value[0];
}

template <int Count>
void measureCode(Report& report) {
  constexpr int kPasses = 6;
  const int multiprocessors = static_cast<int>(attribute(cudaDevAttrMultiProcessorCount));
  for (const int blocks : {1, multiprocessors})
    for (const int threads : {32, 128, 1024}) {
      workloads::DeviceArray<float> sink(static_cast<size_t>(blocks) * threads);
      workloads::DeviceArray<Clock> took(static_cast<size_t>(blocks) * kPasses);
      displaceCaches();
      straight<Count><<<blocks, threads>>>(1.0F, kPasses, sink.data(), took.data());
      workloads::finishKernels();
      const std::vector<Clock> cycles = took.download();
      const std::string what =
          "bytes=" + std::to_string(Count * 16) + " blocks=" + std::to_string(blocks) + " warps=" + std::to_string(threads / kWarpSize);
      report.row(what + " first", static_cast<double>(cycles[0]) / Count, "cycles/instruction");
      report.row(what + " second", static_cast<double>(cycles[1]) / Count, "cycles/instruction");
      report.row(what + " later", static_cast<double>(cycles[kPasses - 1]) / Count, "cycles/instruction");
    }
}

// Each warp has `Loads` loads of 16 bytes a lane under way, each from lines of its own, none of which L1 holds.
template <int Loads>
__global__ void pull(const int4* words, size_t stride, int rounds, int* sink, Span* spans) {
  const int4* mine = words + threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  int sum = 0;
  __syncthreads();
  Span span{readClock(), 0};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    int4 got[Loads];
#pragma unroll
    for (int i = 0; i < Loads; ++i) got[i] = __ldcg(mine + i * stride);
#pragma unroll
    for (int i = 0; i < Loads; ++i) sum += got[i].x;
    mine += Loads * stride;
  }
  await(sum);
  span.end = readClock();
  if (sum == 1) *sink = sum;
  if (threadIdx.x % kWarpSize == 0) spans[(blockIdx.x * blockDim.x + threadIdx.x) / kWarpSize] = span;
}

template <int Loads>
void measurePull(Report& report, const workloads::DeviceArray<int4>& words) {
  workloads::DeviceArray<int> sink(1);
  for (const int threads : {32, 64, 128, 256, 512, 1024})
    for (const bool near : {true, false}) {
      constexpr int kRounds = 16;
      workloads::DeviceArray<Span> spans(threads / kWarpSize);
      const size_t bytes = static_cast<size_t>(threads) * sizeof(int4) * Loads * kRounds;
      displaceCaches();
      if (near) {
        pull<Loads><<<1, threads>>>(words.data(), threads, kRounds, sink.data(), spans.data());
        workloads::finishKernels();
      }
      pull<Loads><<<1, threads>>>(words.data(), threads, kRounds, sink.data(), spans.data());
      workloads::finishKernels();
      report.row(std::string(near ? "l2" : "dram") + " warps=" + std::to_string(threads / kWarpSize) + " loads=" + std::to_string(Loads),
                 static_cast<double>(bytes) / cyclesOf(spans.download()), "bytes/cycle/SM");
    }
}

__global__ void writeRepeatedly(int4* words, size_t count, int times) {
  for (int time = 0; time < times; ++time)
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x)
      words[i] = int4{time, 1, 2, 3};
}

__global__ void copyRepeatedly(const int4* from, int4* words, size_t count, int times) {
  for (int time = 0; time < times; ++time)
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x)
      words[i] = __ldcg(from + i);
}

// `spread`: words between those of neighbouring lanes; `mask`: the words that there are.
__global__ void addRepeatedly(unsigned* words, unsigned spread, unsigned mask, int times) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int time = 0; time < times; ++time) atomicAdd(words + ((thread * spread + time * 32 * spread) & mask), 1U);
}

double milliseconds(const std::function<void()>& launch) {
  launch();
  Event begin, end;
  begin.record();
  launch();
  end.record();
  workloads::finishKernels();
  return end.millisecondsSince(begin);
}

void measureWrites(Report& report) {
  report.begin("stores", "all SMs");
  const int blocks = static_cast<int>(attribute(cudaDevAttrMultiProcessorCount)) * 8;
  const workloads::DeviceArray<int4> words(size_t{1} << 26), others(size_t{1} << 26);
  for (const size_t megabytes : {2, 4, 8, 16, 32, 64, 256, 1024}) {
    const size_t count = (megabytes << 20) / sizeof(int4);
    const int times = static_cast<int>(4096 / megabytes);
    const double bytes = static_cast<double>(megabytes << 20) * times;
    report.row("store megabytes=" + std::to_string(megabytes),
               bytes / milliseconds([&] { writeRepeatedly<<<blocks, 256>>>(words.data(), count, times); }) / kBytesPerMillisecond, "GB/s");
    report.row("load megabytes=" + std::to_string(megabytes), bytes / milliseconds([&] {
                                                                workloads::DeviceArray<int> sink(1);
                                                                readRepeatedly<<<blocks, 256>>>(words.data(), count, times, sink.data());
                                                              }) / kBytesPerMillisecond,
               "GB/s");
    report.row(
        "copy megabytes=" + std::to_string(megabytes) + " (read)",
        bytes / milliseconds([&] { copyRepeatedly<<<blocks, 256>>>(others.data(), words.data(), count, times); }) / kBytesPerMillisecond,
        "GB/s");
  }
  report.begin("atomics", "additions of all SMs, without a result");
  const workloads::DeviceArray<unsigned> counters(size_t{1} << 24);
  for (const unsigned spread : {0U, 1U, 2U, 8U, 33U})
    for (const unsigned kilobytes : {4U, 1024U, 16384U}) {
      constexpr int kTimes = 64;
      const double additions = 256.0 * blocks * kTimes;
      const double took = milliseconds([&] { addRepeatedly<<<blocks, 256>>>(counters.data(), spread, kilobytes * 256 - 1, kTimes); });
      report.row("spread=" + std::to_string(spread) + " kilobytes=" + std::to_string(kilobytes), additions / took / kBytesPerMillisecond,
                 "additions/ns");
    }
}

// One copy of 16 bytes a lane to shared memory, waited for.
__global__ void copyAsync(const int4* words, int rounds, Clock* took) {
  __shared__ int4 to[32];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to + threadIdx.x));
  for (int round = 0; round < rounds; ++round) {
    const Clock begin = readClock();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16; cp.async.commit_group; cp.async.wait_group 0;"
                 :
                 : "r"(at), "l"(words + threadIdx.x)
                 : "memory");
    const Clock end = readClock();
    if (threadIdx.x == 0) took[round] = end - begin;
  }
}

// When each block began, on the GPU's own clock of nanoseconds, and where.
__global__ void beginnings(unsigned long long* times, unsigned* places, Clock* cycles) {
  if (threadIdx.x != 0) return;
  unsigned long long now;
  unsigned place;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
  times[blockIdx.x] = now;
  places[blockIdx.x] = place;
  cycles[blockIdx.x] = readClock();
}

void measureBlocks(Report& report) {
  report.begin("blocks", "the order in which blocks come to SMs, and the cycles between beginnings of blocks of one SM");
  const int multiprocessors = static_cast<int>(attribute(cudaDevAttrMultiProcessorCount));
  const int blocks = multiprocessors * 4;
  for (const int threads : {32, 256, 1024}) {
    workloads::DeviceArray<unsigned long long> times(blocks);
    workloads::DeviceArray<unsigned> places(blocks);
    workloads::DeviceArray<Clock> cycles(blocks);
    for (int i = 0; i < 2; ++i) beginnings<<<blocks, threads>>>(times.data(), places.data(), cycles.data());
    workloads::finishKernels();
    const std::vector<unsigned> where = places.download();
    const std::vector<Clock> when = cycles.download();
    for (int block = 0; block < blocks; block += threads == 32 ? 1 : blocks / 8)
      report.row("threads=" + std::to_string(threads) + " block=" + std::to_string(block), where[block], "SM");
    for (int block = 0, seen = 0; block < blocks; ++block)
      if (where[block] == where[0])
        report.row("threads=" + std::to_string(threads) + " first SM's " + std::to_string(seen++),
                   static_cast<double>(when[block] - when[0]), "cycles");
  }
}

int all() {
  Report report(true);
  measureInstructionsToo(report);
  report.begin("code", "straight code in a loop");
  measureCode<64>(report);
  measureCode<128>(report);
  measureCode<256>(report);
  measureCode<512>(report);
  measureCode<1024>(report);
  measureCode<1536>(report);
  measureCode<2048>(report);
  measureCode<4096>(report);
  measureCode<8192>(report);
  measureCode<16384>(report);
  report.begin("pull", "bytes that one SM has from L2 and DRAM");
  {
    const workloads::DeviceArray<int4> words(size_t{1} << 22);
    measurePull<1>(report, words);
    measurePull<2>(report, words);
    measurePull<4>(report, words);
    measurePull<8>(report, words);
    measurePull<16>(report, words);
  }
  measureWrites(report);
  report.begin("cp.async", "issue to wait");
  {
    const workloads::DeviceArray<int4> words(32);
    workloads::DeviceArray<Clock> took(8);
    copyAsync<<<1, 32>>>(words.data(), 8, took.data());
    workloads::finishKernels();
    report.row("16 bytes a lane", static_cast<double>(took.download()[7]), "cycles");
  }
  measureBlocks(report);
  return 0;
}

}  // namespace
}  // namespace micro

int main() { return micro::all(); }
