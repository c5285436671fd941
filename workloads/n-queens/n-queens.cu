// Number of ways to place n queens on an n x n board so that none attacks another. The host places the first rows; each thread
// takes such a board and searches the remaining rows by backtracking over bit masks, without recursion: the stack lies in shared
// memory, one column of words per thread. Blocks of 96 threads add up their counts by a tree.
#include "../common/workload.hpp"

using namespace workloads;

using Mask = unsigned;  // a bit per column

constexpr int kThreads = 96;
constexpr int kBlocksPerLaunch = 256;
constexpr int kDepth = 9;  // rows that a thread can search; the stacks then fit in 16 KiB

// Columns attacked in the next row: by columns, and by the diagonals that run to the left and to the right.
struct Attacks {
  Mask columns, left, right;
};

__host__ __device__ inline Mask all(const Attacks& attacks) { return attacks.columns | attacks.left | attacks.right; }

__host__ __device__ inline Attacks place(const Attacks& attacks, Mask queen) {
  return {attacks.columns | queen, (attacks.left | queen) << 1, (attacks.right | queen) >> 1};
}

__global__ void solveQueens(const Mask* columns, const Mask* left, const Mask* right, unsigned* counts, int boards, int rows, Mask board) {
  __shared__ Attacks attacks[kDepth + 1][kThreads];
  __shared__ Mask untried[kDepth][kThreads];
  __shared__ unsigned sums[kThreads];
  const int thread = threadIdx.x, index = blockIdx.x * kThreads + thread;
  unsigned solutions = 0;
  if (index < boards) {
    attacks[0][thread] = {columns[index], left[index], right[index]};
    untried[0][thread] = board & ~all(attacks[0][thread]);
    int row = 0;
    while (row >= 0) {
      const Mask squares = untried[row][thread];
      if (squares == 0) {
        --row;
        continue;
      }
      const Mask queen = squares & (0u - squares);
      untried[row][thread] = squares ^ queen;
      if (row == rows - 1) {
        ++solutions;
        continue;
      }
      ++row;
      attacks[row][thread] = place(attacks[row - 1][thread], queen);
      untried[row][thread] = board & ~all(attacks[row][thread]);
    }
  }
  sums[thread] = solutions;
  for (int count = kThreads; count > 1;) {  // 96, 48, 24, 12, 6, 3, 2, 1
    __syncthreads();
    const int half = (count + 1) / 2;
    if (thread + half < count) sums[thread] += sums[thread + half];
    count = half;
  }
  if (thread == 0) counts[blockIdx.x] = sums[0];
}

// Boards whose first rows are filled.
struct Boards {
  std::vector<Mask> columns, left, right;
};

void fillRows(Boards& boards, const Attacks& attacks, Mask board, int rows) {
  if (rows == 0) {
    boards.columns.push_back(attacks.columns);
    boards.left.push_back(attacks.left);
    boards.right.push_back(attacks.right);
    return;
  }
  for (Mask free = board & ~all(attacks); free != 0; free &= free - 1)
    fillRows(boards, place(attacks, free & (0u - free)), board, rows - 1);
}

unsigned solveOnDevice(int queens, int filledRows, Timings& timings) {
  const Mask board = (1u << queens) - 1;
  Boards boards;
  fillRows(boards, {0, 0, 0}, board, filledRows);
  const int count = int(boards.columns.size()), boardsPerLaunch = kThreads * kBlocksPerLaunch;
  const DeviceArray<Mask> columns(boards.columns), left(boards.left), right(boards.right);
  const DeviceArray<unsigned> counts(divideUp(count, kThreads));
  timings.kernels([&] {
    for (int first = 0; first < count; first += boardsPerLaunch) {
      const int part = count - first < boardsPerLaunch ? count - first : boardsPerLaunch;
      solveQueens<<<divideUp(part, kThreads), kThreads>>>(columns.data() + first, left.data() + first, right.data() + first,
                                                          counts.data() + first / kThreads, part, queens - filledRows, board);
    }
  });
  unsigned solutions = 0;
  for (unsigned blockCount : counts.download()) solutions += blockCount;
  return solutions;
}

unsigned referenceSolve(const Attacks& attacks, Mask board) {
  if (attacks.columns == board) return 1;
  unsigned solutions = 0;
  for (Mask free = board & ~all(attacks); free != 0; free &= free - 1)
    solutions += referenceSolve(place(attacks, free & (0u - free)), board);
  return solutions;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"n-queens",
                                        "counts the solutions by backtracking, the stack of each thread in shared memory",
                                        "9 queens",
                                        "12 queens",
                                        "14 queens",
                                        {}});
  const int queens = options.pick(9, 12, 14);
  const int filledRows = options.pick(3, 4, 5);
  const unsigned published = options.pick(352u, 14'200u, 365'596u);  // On-Line Encyclopedia of Integer Sequences, A000170

  Timings timings;
  const unsigned got = solveOnDevice(queens, filledRows, timings);
  unsigned expected = 0;
  timings.reference([&] { expected = referenceSolve({0, 0, 0}, (1u << queens) - 1); });
  timings.print();
  bool correct = expectEqual<unsigned>("reference", {published}, {expected});
  correct = expectEqual<unsigned>("solutions", {expected}, {got}) && correct;
  return report("n-queens", correct);
}
