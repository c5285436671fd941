// RNA folding: the secondary structure with the greatest weight of base pairs, by dynamic programming over anti-diagonals (Nussinov and
// Jacobson, PNAS 1980), for several sequences at once. One launch fills one anti-diagonal of every sequence's triangle; a thread finds the
// best structure of one stretch of bases, over all places where it can be divided. Triangles are stored diagonal by diagonal, so that lanes
// read neighbouring words whichever division they try.
#include <algorithm>
#include <string>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 128;
constexpr int kLeastLoop = 3;  // unpaired bases between the two of a pair: a backbone bends no tighter

// Hydrogen bonds of the pair, 0 for bases that do not pair.
__host__ __device__ inline int bonds(char a, char b) {
  if ((a == 'G' && b == 'C') || (a == 'C' && b == 'G')) return 3;
  if ((a == 'A' && b == 'U') || (a == 'U' && b == 'A')) return 2;
  if ((a == 'G' && b == 'U') || (a == 'U' && b == 'G')) return 1;  // the wobble pair, of two bonds, is the weakest
  return 0;
}

// best[(sequence * length + distance) * length + i]: of the bases i … i + distance of the sequence.
__global__ void foldDiagonal(const char* bases, int* best, int length, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + distance >= length) return;
  const char* sequence = bases + blockIdx.y * length;
  int* triangle = best + size_t(blockIdx.y) * length * length;
  int score = 0;
  for (int left = 0; left < distance; ++left) {
    const int divided = triangle[left * length + i] + triangle[(distance - 1 - left) * length + i + left + 1];
    score = max(score, divided);
  }
  if (distance > kLeastLoop) {
    const int weight = bonds(sequence[i], sequence[i + distance]);
    if (weight != 0) score = max(score, triangle[(distance - 2) * length + i + 1] + weight);
  }
  triangle[distance * length + i] = score;
}

// Random bases with stems: stretches that return later, reversed and complemented, as in real RNA.
std::string makeSequence(int length, Random& random) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGU"[random.below(4)];
  const auto complement = [](char base) { return base == 'A' ? 'U' : base == 'U' ? 'A' : base == 'G' ? 'C' : 'G'; };
  for (int stem = 0; stem < length / 40; ++stem) {
    const int pairs = 4 + random.below(6), loop = kLeastLoop + random.below(6);
    const int begin = random.below(length - 2 * pairs - loop);
    for (int pair = 0; pair < pairs; ++pair) bases[begin + 2 * pairs + loop - 1 - pair] = complement(bases[begin + pair]);
  }
  return bases;
}

// The same recurrence with a square table, row by row from below.
int referenceFold(const std::string& bases) {
  const int length = int(bases.size());
  std::vector<std::vector<int>> best(length, std::vector<int>(length, 0));
  for (int i = length - 2; i >= 0; --i) {
    for (int j = i + 1; j < length; ++j) {
      int score = 0;
      for (int k = i; k < j; ++k) score = std::max(score, best[i][k] + best[k + 1][j]);
      const int weight = j - i > kLeastLoop ? bonds(bases[i], bases[j]) : 0;
      if (weight != 0) score = std::max(score, best[i + 1][j - 1] + weight);
      best[i][j] = score;
    }
  }
  return best[0][length - 1];
}

struct Problem {
  int sequences, length;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"rna-folding",
                                        "secondary structures of RNA by dynamic programming over anti-diagonals",
                                        "2 sequences of 80 bases",
                                        "16 sequences of 400 bases",
                                        "40 sequences of 1,000 bases",
                                        {}});
  const Problem problem = options.pick(Problem{2, 80}, Problem{16, 400}, Problem{40, 1000});
  Random random(21);
  std::vector<std::string> sequences;
  std::vector<char> all;
  for (int i = 0; i < problem.sequences; ++i) {
    sequences.push_back(makeSequence(problem.length, random));
    all.insert(all.end(), sequences.back().begin(), sequences.back().end());
  }

  const size_t triangle = size_t(problem.length) * problem.length;
  Timings timings;
  const DeviceArray<char> bases(all);
  const DeviceArray<int> best(std::vector<int>(triangle * problem.sequences, 0));
  timings.kernels([&] {
    for (int distance = 1; distance < problem.length; ++distance) {
      const dim3 grid(divideUp(problem.length - distance, kThreads), problem.sequences);
      foldDiagonal<<<grid, kThreads>>>(bases.data(), best.data(), problem.length, distance);
    }
  });
  std::vector<int> expected;
  timings.reference([&] {
    for (const std::string& sequence : sequences) expected.push_back(referenceFold(sequence));
  });
  timings.print();

  const std::vector<int> scores = best.download();
  std::vector<int> got;
  for (int i = 0; i < problem.sequences; ++i) got.push_back(scores[i * triangle + size_t(problem.length - 1) * problem.length]);
  return report("rna-folding", expectEqual("score", expected, got));
}
