// How often each k-mer, a piece of k bases, occurs in a DNA text. One thread a place takes the k-mer that begins there, or its reverse
// complement if that is the smaller number, as the strands of DNA are alike. The numbers are sorted by a radix sort, four bits a pass
// from the lowest (after Satish, Harris, Garland: "Designing Efficient Sorting Algorithms for Manycore GPUs", IPDPS 2009): blocks count
// digits, prefix sums say where each block's begin, and blocks scatter in order. Then runs of equal numbers are counted.
#include <map>
#include <string>

#include "../common/dna.hpp"
#include "../common/prefix_sums.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kLength = 11;  // k
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kDigitBits = 4, kDigits = 1 << kDigitBits;

__global__ void kmerExtract(const char* text, unsigned* kmers, int count) {
  const int place = blockIdx.x * kThreads + threadIdx.x;
  if (place >= count) return;
  unsigned forward = 0, backward = 0;
  for (int i = 0; i < kLength; ++i) {
    const unsigned base = baseNumber(text[place + i]);
    forward = forward << 2 | base;
    backward |= (3 - base) << (2 * i);
  }
  kmers[place] = forward < backward ? forward : backward;
}

// The lanes of the warp that are active and have the same digit.
__device__ unsigned lanesWithDigit(unsigned digit, bool active) {
  unsigned lanes = __ballot_sync(0xffffffffu, active);
  for (int bit = 0; bit < kDigitBits; ++bit) {
    const unsigned set = __ballot_sync(0xffffffffu, (digit >> bit) & 1);
    lanes &= (digit >> bit) & 1 ? set : ~set;
  }
  return lanes;
}

// Of each warp, how many numbers there are of each digit. All threads of the block take part.
__device__ void countDigits(unsigned (&counts)[kWarps][kDigits], unsigned digit, unsigned lanes, bool active) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x < kWarps * kDigits) counts[threadIdx.x / kDigits][threadIdx.x % kDigits] = 0;
  __syncthreads();
  if (active && lane == __ffs(lanes) - 1) counts[warp][digit] = __popc(lanes);
  __syncthreads();
}

// histogram: [digit][block], so that its prefix sums are the places where each block's numbers of each digit begin.
__global__ void radixCount(const unsigned* numbers, int* histogram, int count, int shift) {
  __shared__ unsigned counts[kWarps][kDigits];
  const int index = blockIdx.x * kThreads + threadIdx.x;
  const bool active = index < count;
  const unsigned digit = active ? (numbers[index] >> shift) % kDigits : 0;
  countDigits(counts, digit, lanesWithDigit(digit, active), active);
  if (threadIdx.x >= kDigits) return;
  unsigned sum = 0;
  for (int warp = 0; warp < kWarps; ++warp) sum += counts[warp][threadIdx.x];
  histogram[threadIdx.x * gridDim.x + blockIdx.x] = int(sum);
}

__global__ void radixScatter(const unsigned* numbers, unsigned* sorted, const int* places, int count, int shift) {
  __shared__ unsigned counts[kWarps][kDigits];
  const int index = blockIdx.x * kThreads + threadIdx.x, warp = threadIdx.x / 32;
  const bool active = index < count;
  const unsigned number = active ? numbers[index] : 0, digit = (number >> shift) % kDigits;
  const unsigned lanes = lanesWithDigit(digit, active);
  countDigits(counts, digit, lanes, active);
  if (!active) return;
  int place = places[digit * gridDim.x + blockIdx.x] + __popc(lanes & ((1u << threadIdx.x % 32) - 1));
  for (int before = 0; before < warp; ++before) place += int(counts[before][digit]);
  sorted[place] = number;
}

// marks: one more than there are numbers, the last 0.
__global__ void runMark(const unsigned* sorted, int* marks, int count) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index <= count) marks[index] = index < count && (index == 0 || sorted[index] != sorted[index - 1]);
}

// runs: the prefix sums of the marks; starts: one more than there are runs, the last the number of numbers.
__global__ void runStarts(const unsigned* sorted, const int* runs, unsigned* distinct, int* starts, int count) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index == count) starts[runs[count]] = count;
  if (index >= count || runs[index + 1] == runs[index]) return;
  distinct[runs[index]] = sorted[index];
  starts[runs[index]] = index;
}

struct Counts {
  std::vector<unsigned> kmers;
  std::vector<int> starts;  // of each in the sorted text; the last is the number of places
};

Counts countOnDevice(const std::string& text, Timings& timings) {
  const int count = int(text.size()) - kLength + 1, blocks = divideUp(count, kThreads);
  const DeviceArray<char> deviceText(std::vector<char>(text.begin(), text.end()));
  const DeviceArray<unsigned> first(count), second(count);
  const DeviceArray<int> histogram(size_t(kDigits) * blocks), runs(count + 1);
  const unsigned* sorted = first.data();
  int distinct = 0;
  timings.kernels([&] {
    kmerExtract<<<blocks, kThreads>>>(deviceText.data(), first.data(), count);
    unsigned *from = first.data(), *to = second.data();
    for (int shift = 0; shift < 2 * kLength; shift += kDigitBits, std::swap(from, to)) {
      radixCount<<<blocks, kThreads>>>(from, histogram.data(), count, shift);
      prefixSums(histogram);
      radixScatter<<<blocks, kThreads>>>(from, to, histogram.data(), count, shift);
    }
    sorted = from;
    runMark<<<divideUp(count + 1, kThreads), kThreads>>>(sorted, runs.data(), count);
    distinct = prefixSumsWithTotal(runs);
  });
  const DeviceArray<unsigned> kmers(distinct);
  const DeviceArray<int> starts(distinct + 1);
  timings.kernels([&] { runStarts<<<divideUp(count + 1, kThreads), kThreads>>>(sorted, runs.data(), kmers.data(), starts.data(), count); });
  return {kmers.download(), starts.download()};
}

std::string reverseComplement(const std::string& piece) {
  std::string other;
  for (size_t i = piece.size(); i > 0; --i) other += "TGCA"[std::string("ACGT").find(piece[i - 1])];
  return other;
}

// As texts: their order is that of the numbers.
std::map<std::string, int> referenceCount(const std::string& text) {
  std::map<std::string, int> counts;
  for (size_t place = 0; place + kLength <= text.size(); ++place) {
    const std::string piece = text.substr(place, kLength);
    ++counts[std::min(piece, reverseComplement(piece))];
  }
  return counts;
}

bool agree(const std::map<std::string, int>& expected, const Counts& got) {
  std::vector<unsigned> kmers;
  std::vector<int> starts{0};
  for (const auto& piece : expected) {
    unsigned number = 0;
    for (char base : piece.first) number = number << 2 | unsigned(std::string("ACGT").find(base));
    kmers.push_back(number);
    starts.push_back(starts.back() + piece.second);
  }
  return expectEqual("k-mers", kmers, got.kmers) && expectEqual("starts", starts, got.starts);
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"kmer-count",
                                        "counts of the pieces of 11 bases in a DNA text, by radix sort",
                                        "10,007 bases",
                                        "200,003 bases",
                                        "16,777,216 bases",
                                        {}});
  Random random(57);
  const std::string text = makeGenome(options.pick(10'007, 200'003, 16'777'216), random);
  Timings timings;
  const Counts got = countOnDevice(text, timings);
  std::map<std::string, int> expected;
  timings.reference([&] { expected = referenceCount(text); });
  timings.print();
  return report("kmer-count", agree(expected, got));
}
