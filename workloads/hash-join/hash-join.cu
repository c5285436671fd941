// The join of two relations by a hash table (the no-partitioning join of Blanas, Li, Patel: "Design and Evaluation of Main Memory Hash Join
// Algorithms for Multi-core CPUs", SIGMOD 2011). Build: one thread a customer claims a slot of an open-addressing table. Probe: one thread
// an order looks its customer up; a first pass counts the matches, prefix sums say where each goes, a second pass writes them. Where
// in the table a key lies depends on the order of the threads, the joined rows do not.
#include <unordered_map>

#include "../common/prefix_sums.hpp"
#include "../common/workload.hpp"
#include "../common/zipf.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr int kEmpty = 0;  // keys begin at 1
constexpr int kAbsent = -1;

// Multiplicative hashing with the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
__device__ int homeSlot(int key, int bits) { return int((unsigned(key) * 2654435769u) >> (32 - bits)); }

__global__ void joinBuild(const int* keys, int* tableKeys, int* tableRows, int rows, int bits) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int key = keys[row], last = (1 << bits) - 1;
  int slot = homeSlot(key, bits);
  while (atomicCAS(&tableKeys[slot], kEmpty, key) != kEmpty) slot = (slot + 1) & last;
  tableRows[slot] = row;
}

__device__ int findRow(const int* tableKeys, const int* tableRows, int key, int bits) {
  const int last = (1 << bits) - 1;
  for (int slot = homeSlot(key, bits);; slot = (slot + 1) & last) {
    const int found = tableKeys[slot];
    if (found == key) return tableRows[slot];
    if (found == kEmpty) return kAbsent;
  }
}

__global__ void joinCount(const int* keys, const int* tableKeys, const int* tableRows, int* matches, int rows, int bits) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) matches[row] = findRow(tableKeys, tableRows, keys[row], bits) != kAbsent;
}

// Emits of each match what the customer and the order are about.
__global__ void joinEmit(const int* keys, const int* amounts, const int* tableKeys, const int* tableRows, const int* countries,
                         const int* places, int* joinedKeys, int* joinedAmounts, int* joinedCountries, int rows, int bits) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int found = findRow(tableKeys, tableRows, keys[row], bits);
  if (found == kAbsent) return;
  const int place = places[row];
  joinedKeys[place] = keys[row];
  joinedAmounts[place] = amounts[row];
  joinedCountries[place] = countries[found];
}

struct Customers {
  std::vector<int> keys, countries;
};

struct Orders {
  std::vector<int> customers, amounts;
};

struct Joined {
  std::vector<int> keys, amounts, countries;
};

// At most half full.
int tableBits(size_t keys) {
  int bits = 1;
  while ((size_t(1) << bits) < 2 * keys) ++bits;
  return bits;
}

Joined joinOnDevice(const Customers& customers, const Orders& orders, Timings& timings) {
  const int build = int(customers.keys.size()), probe = int(orders.customers.size()), bits = tableBits(customers.keys.size());
  const int buildBlocks = divideUp(build, kThreads), probeBlocks = divideUp(probe, kThreads);
  const DeviceArray<int> keys(customers.keys), countries(customers.countries), orderKeys(orders.customers), amounts(orders.amounts);
  const DeviceArray<int> tableKeys(std::vector<int>(size_t(1) << bits, kEmpty)), tableRows(std::vector<int>(size_t(1) << bits, kAbsent));
  const DeviceArray<int> places(std::vector<int>(probe + 1, 0));
  int matches = 0;
  timings.kernels([&] {
    joinBuild<<<buildBlocks, kThreads>>>(keys.data(), tableKeys.data(), tableRows.data(), build, bits);
    joinCount<<<probeBlocks, kThreads>>>(orderKeys.data(), tableKeys.data(), tableRows.data(), places.data(), probe, bits);
    matches = prefixSumsWithTotal(places);
  });
  const DeviceArray<int> joinedKeys(matches), joinedAmounts(matches), joinedCountries(matches);
  timings.kernels([&] {
    joinEmit<<<probeBlocks, kThreads>>>(orderKeys.data(), amounts.data(), tableKeys.data(), tableRows.data(), countries.data(),
                                        places.data(), joinedKeys.data(), joinedAmounts.data(), joinedCountries.data(), probe, bits);
  });
  return {joinedKeys.download(), joinedAmounts.download(), joinedCountries.download()};
}

Joined referenceJoin(const Customers& customers, const Orders& orders) {
  std::unordered_map<int, int> countryOf;
  for (size_t row = 0; row < customers.keys.size(); ++row) countryOf[customers.keys[row]] = customers.countries[row];
  Joined joined;
  for (size_t row = 0; row < orders.customers.size(); ++row) {
    const auto found = countryOf.find(orders.customers[row]);
    if (found == countryOf.end()) continue;
    joined.keys.push_back(found->first);
    joined.amounts.push_back(orders.amounts[row]);
    joined.countries.push_back(found->second);
  }
  return joined;
}

// Numbers given out in turn with gaps where customers have left, in no order; most are of few countries.
Customers makeCustomers(int count, Random& random) {
  const Zipf countryOf(25, 1.0);
  Customers customers;
  for (int customer = 0, number = 1; customer < count; ++customer, number += 1 + random.below(3) / 2) {
    customers.keys.push_back(number);
    customers.countries.push_back(countryOf.draw(random));
  }
  for (int row = count - 1; row > 0; --row) std::swap(customers.keys[row], customers.keys[random.below(row + 1)]);
  return customers;
}

// Few customers order much: Zipf's law, with an exponent chosen between none and the 1 of words. One order in ten is of a customer who has
// left. Amounts are prices in cents that end as prices do.
Orders makeOrders(int count, const Customers& customers, Random& random) {
  const Zipf popularity(int(customers.keys.size()), 0.75);
  Orders orders;
  for (int order = 0; order < count; ++order) {
    const bool left = random.below(10) == 0;
    const int gone = 2 * int(customers.keys.size()) + 1 + int(random.below(unsigned(customers.keys.size())));
    orders.customers.push_back(left ? gone : customers.keys[popularity.draw(random)]);
    orders.amounts.push_back(100 * int(1 + random.below(200)) - (random.below(3) == 0 ? 0 : 1));
  }
  return orders;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"hash-join",
                                        "join of customers and orders by a hash table in device memory",
                                        "3,001 customers, 12,007 orders",
                                        "40,009 customers, 160,001 orders",
                                        "4,194,304 customers, 16,777,216 orders",
                                        {}});
  Random random(56);
  const Customers customers = makeCustomers(options.pick(3'001, 40'009, 4'194'304), random);
  const Orders orders = makeOrders(options.pick(12'007, 160'001, 16'777'216), customers, random);
  Timings timings;
  const Joined got = joinOnDevice(customers, orders, timings);
  Joined expected;
  timings.reference([&] { expected = referenceJoin(customers, orders); });
  timings.print();
  const bool correct = expectEqual("keys", expected.keys, got.keys) && expectEqual("amounts", expected.amounts, got.amounts) &&
                       expectEqual("countries", expected.countries, got.countries);
  return report("hash-join", correct);
}
