// Gravitation of many bodies by Barnes and Hut's method (Nature 1986), with a binary tree over Morton codes that is built in parallel
// (Karras, HPG 2012). A step: the box around all bodies, a key for each, a bitonic sort, `linkNodes` (each inner node finds the keys that
// it spans and where they part), `summariseNodes` (from the leaves upwards, the second to arrive goes on), `attractBodies` (each body walks
// the tree with a stack of its own, in the order of the keys, so that the bodies of a warp walk alike), `moveBodies`.
//
// Keys, centres and the test whether a part is far away are rounded operation by operation, and so decided alike by kernels and reference;
// the forces are not.
#include "../common/workload.hpp"
#include "bodies.hpp"
#include "reference.hpp"

using namespace workloads;

constexpr int kThreads = 128;
constexpr int kBoxThreads = 256;
constexpr int kDeepest = 64;  // a level for each bit of a key
constexpr Key kPaddingKey = ~Key{0};

// Of the boxes (or of positions, which are boxes both of whose corners they are), one a block.
__global__ void boundBodies(const Vector* lows, const Vector* highs, Vector* low, Vector* high, int count) {
  __shared__ Vector lowest[kBoxThreads], highest[kBoxThreads];
  const int thread = threadIdx.x;
  Vector l = lows[0], h = highs[0];
  for (int i = blockIdx.x * kBoxThreads + thread; i < count; i += gridDim.x * kBoxThreads) l = lower(l, lows[i]), h = higher(h, highs[i]);
  lowest[thread] = l;
  highest[thread] = h;
  for (int half = kBoxThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread >= half) continue;
    lowest[thread] = lower(lowest[thread], lowest[thread + half]);
    highest[thread] = higher(highest[thread], highest[thread + half]);
  }
  if (thread == 0) low[blockIdx.x] = lowest[0], high[blockIdx.x] = highest[0];
}

__global__ void makeKeys(const Vector* positions, const Vector* low, const Vector* high, Key* keys, int count, int padded) {
  const int body = blockIdx.x * blockDim.x + threadIdx.x;
  if (body >= padded) return;
  keys[body] = body < count ? keyOf(positions[body], *low, sideOf(*low, *high), body) : kPaddingKey;
}

// One comparison a thread of Batcher's bitonic sort.
__global__ void sortKeys(Key* keys, int pairs, int span, int distance) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  const int first = 2 * pair - (pair & (distance - 1)), second = first + distance;
  const Key a = keys[first], b = keys[second];
  const bool rising = (first & span) == 0;
  if ((a > b) == rising) keys[first] = b, keys[second] = a;
}

// Bits that two keys have in common at their high end; outside the array none, and less.
__device__ int commonBits(const Key* keys, int count, int i, int j) { return j < 0 || j >= count ? -1 : __clzll(keys[i] ^ keys[j]); }

// Inner node i spans keys from i on, upwards or downwards. Nodes from count - 1 on are leaves, in the order of the keys.
__global__ void linkNodes(const Key* keys, int* lefts, int* rights, int* parents, int count) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= count - 1) return;
  const int direction = commonBits(keys, count, node, node + 1) > commonBits(keys, count, node, node - 1) ? 1 : -1;
  const int outside = commonBits(keys, count, node, node - direction);
  int most = 2;
  while (commonBits(keys, count, node, node + most * direction) > outside) most *= 2;
  int length = 0;
  for (int step = most / 2; step > 0; step /= 2)
    if (commonBits(keys, count, node, node + (length + step) * direction) > outside) length += step;
  const int end = node + length * direction, common = commonBits(keys, count, node, end);
  int split = 0;
  for (int step = most / 2; step > 0; step /= 2)
    if (split + step < length && commonBits(keys, count, node, node + (split + step) * direction) > common) split += step;
  const int middle = node + split * direction + min(direction, 0);
  const int leaves = count - 1;
  const int left = min(node, end) == middle ? leaves + middle : middle;
  const int right = max(node, end) == middle + 1 ? leaves + middle + 1 : middle + 1;
  lefts[node] = left;
  rights[node] = right;
  parents[left] = parents[right] = node;
  if (node == 0) parents[0] = -1;
}

__global__ void summariseNodes(const Key* keys, const Vector* positions, const float* masses, const int* lefts, const int* rights,
                               const int* parents, int* arrivals, Summary* summaries, int count) {
  const int leaf = blockIdx.x * blockDim.x + threadIdx.x;
  if (leaf >= count) return;
  const int body = int(keys[leaf]);
  const Vector position = positions[body];
  summaries[count - 1 + leaf] = {position, masses[body], position, position};
  for (int node = parents[count - 1 + leaf]; node >= 0; node = parents[node]) {
    __threadfence();
    if (atomicAdd(&arrivals[node], 1) == 0) return;
    __threadfence();
    summaries[node] = joined(summaries[lefts[node]], summaries[rights[node]]);
  }
}

__global__ void attractBodies(const Key* keys, const Vector* positions, const int* lefts, const int* rights, const Summary* summaries,
                              Vector* accelerations, int count) {
  const int leaf = blockIdx.x * blockDim.x + threadIdx.x;
  if (leaf >= count) return;
  const int body = int(keys[leaf]);
  const Vector position = positions[body];
  Vector sum = {0.0f, 0.0f, 0.0f};
  int stack[kDeepest], waiting = 1;
  stack[0] = 0;
  while (waiting > 0) {
    const int node = stack[--waiting];
    const Summary part = summaries[node];
    const Vector to = between(position, part.centre);
    const float distance = squared(to);
    if (node < count - 1 && !isFar(part, distance)) {
      stack[waiting++] = rights[node];
      stack[waiting++] = lefts[node];
      continue;
    }
    const float inverse = 1.0f / sqrtf(distance + kSoftening * kSoftening), factor = part.mass * inverse * inverse * inverse;
    sum.x += factor * to.x;
    sum.y += factor * to.y;
    sum.z += factor * to.z;
  }
  accelerations[body] = sum;
}

__host__ __device__ inline float moved(float value, float rate) { return plus(value, times(kTimeStep, rate)); }
__host__ __device__ inline Vector moved(const Vector& value, const Vector& rate) {
  return {moved(value.x, rate.x), moved(value.y, rate.y), moved(value.z, rate.z)};
}

__global__ void moveBodies(Vector* positions, Vector* velocities, const Vector* accelerations, int count) {
  const int body = blockIdx.x * blockDim.x + threadIdx.x;
  if (body >= count) return;
  velocities[body] = moved(velocities[body], accelerations[body]);
  positions[body] = moved(positions[body], velocities[body]);
}

// What lies on the device.
struct Cluster {
  explicit Cluster(const Bodies& bodies)
      : count(bodies.count()),
        padded(1 << (32 - __builtin_clz(unsigned(bodies.count()) - 1))),
        positions(bodies.positions),
        velocities(bodies.velocities),
        accelerations(count),
        boxes(2 * kBoxes),
        box(2),
        masses(bodies.masses),
        keys(padded),
        lefts(count),
        rights(count),
        parents(2 * count),
        arrivals(count),
        summaries(2 * count) {}

  void step() {
    const int blocks = divideUp(count, kThreads);
    boundBodies<<<kBoxes, kBoxThreads>>>(positions.data(), positions.data(), boxes.data(), boxes.data() + kBoxes, count);
    boundBodies<<<1, kBoxThreads>>>(boxes.data(), boxes.data() + kBoxes, box.data(), box.data() + 1, kBoxes);
    makeKeys<<<divideUp(padded, kThreads), kThreads>>>(positions.data(), box.data(), box.data() + 1, keys.data(), count, padded);
    for (int span = 2; span <= padded; span *= 2)
      for (int distance = span / 2; distance > 0; distance /= 2)
        sortKeys<<<divideUp(padded / 2, kThreads), kThreads>>>(keys.data(), padded / 2, span, distance);
    WORKLOAD_CHECK(cudaMemset(arrivals.data(), 0, count * sizeof(int)));
    linkNodes<<<blocks, kThreads>>>(keys.data(), lefts.data(), rights.data(), parents.data(), count);
    summariseNodes<<<blocks, kThreads>>>(keys.data(), positions.data(), masses.data(), lefts.data(), rights.data(), parents.data(),
                                         arrivals.data(), summaries.data(), count);
    attractBodies<<<blocks, kThreads>>>(keys.data(), positions.data(), lefts.data(), rights.data(), summaries.data(), accelerations.data(),
                                        count);
    moveBodies<<<blocks, kThreads>>>(positions.data(), velocities.data(), accelerations.data(), count);
    finishKernels();
  }

  static constexpr int kBoxes = 8;
  int count, padded;
  DeviceArray<Vector> positions, velocities, accelerations, boxes, box;
  DeviceArray<float> masses;
  DeviceArray<Key> keys;
  DeviceArray<int> lefts, rights, parents, arrivals;
  DeviceArray<Summary> summaries;
};

std::vector<float> flat(const std::vector<Vector>& vectors) {
  std::vector<float> values;
  for (const Vector& each : vectors) values.insert(values.end(), {each.x, each.y, each.z});
  return values;
}

// Forces over the sum of the sizes of their terms, of which the rounding of a sum is at most `terms` units in the last place, and that of a
// term some ten.
bool checkForces(const Bodies& before, const std::vector<Vector>& accelerations, Timings& timings) {
  std::vector<float> expected, got;
  int mostTerms = 0;
  timings.reference([&] {
    const ReferenceTree tree(before);
    for (int body = 0; body < before.count(); ++body) {
      const ReferenceTree::Force force = tree.on(body);
      for (const double each : {force.x, force.y, force.z}) expected.push_back(float(each / force.size));
      for (const float each : {accelerations[body].x, accelerations[body].y, accelerations[body].z})
        got.push_back(float(each / force.size));
      mostTerms = std::max(mostTerms, force.terms);
    }
  });
  return expectNear("forces", expected, got, 0x1p-23f, float(mostTerms + 10) * 0x1p-24f);
}

// A step; of the device's bodies, since rounding differences of one step would make another tree in the next.
bool step(Cluster& cluster, Bodies& bodies, Timings& timings) {
  timings.kernels([&] { cluster.step(); });
  const std::vector<Vector> accelerations = cluster.accelerations.download();
  const bool correct = checkForces(bodies, accelerations, timings);
  for (int body = 0; body < bodies.count(); ++body) {
    bodies.velocities[body] = moved(bodies.velocities[body], accelerations[body]);
    bodies.positions[body] = moved(bodies.positions[body], bodies.velocities[body]);
  }
  return expectEqual("positions", flat(bodies.positions), flat(cluster.positions.download())) && correct;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"barnes-hut",
                                        "gravitation of a star cluster by Barnes and Hut's method",
                                        "700 bodies, 1 step",
                                        "5,000 bodies, 2 steps",
                                        "300,000 bodies, 2 steps",
                                        {}});
  Random random(79);
  Bodies bodies = plummerSphere(options.pick(700, 5'000, 300'000), random);
  Timings timings;
  Cluster cluster(bodies);
  bool correct = true;
  for (int i = 0; i < options.pick(1, 2, 2); ++i) correct = step(cluster, bodies, timings) && correct;
  timings.print();
  return report("barnes-hut", correct);
}
