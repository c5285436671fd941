// A small MapReduce whose buffers lie as those of Mars do (He, Fang, Luo, Govindaraju, Wang: "Mars: A MapReduce Framework on Graphics
// Processors", PACT 2008): all keys in one buffer of bytes, all values in another, and a directory with an entry of offsets and sizes
// for each record. Threads never allocate: a counting pass says how much each will emit, exclusive prefix sums say where, and the
// emitting pass writes there. Records of one key become neighbours by a bitonic sort of the directory; keys and values stay in place.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "prefix_sums.hpp"

namespace workloads {

constexpr int kMapThreads = 256;
constexpr int kSortEntries = 2 * kMapThreads;  // that a block sorts in shared memory
constexpr int kPaddingKey = -1;                // the key size of entries that fill a directory up for sorting

using Byte = unsigned char;

struct alignas(16) Entry {
  int keyOffset, keySize, valueOffset, valueSize;
};

// What a thread of an emitting pass writes with.
class Emitter {
 public:
  __device__ Emitter(Byte* keys, Byte* values, Entry* directory, int keyAt, int valueAt, int recordAt)
      : keys_(keys), values_(values), directory_(directory), keyAt_(keyAt), valueAt_(valueAt), recordAt_(recordAt) {}

  // The room for a key and a value of so many bytes, with its entry written.
  __device__ Byte* key() const { return keys_ + keyAt_; }
  __device__ Byte* value() const { return values_ + valueAt_; }
  __device__ void emit(int keySize, int valueSize) {
    directory_[recordAt_++] = {keyAt_, keySize, valueAt_, valueSize};
    keyAt_ += keySize;
    valueAt_ += valueSize;
  }

 private:
  Byte *keys_, *values_;
  Entry* directory_;
  int keyAt_, valueAt_, recordAt_;
};

// Orders of keys: negative, zero or positive, as memcmp.
struct TextOrder {
  static __device__ int compare(const Byte* keys, const Entry& a, const Entry& b) {
    const int common = a.keySize < b.keySize ? a.keySize : b.keySize;
    for (int i = 0; i < common; ++i) {
      const int difference = int(keys[a.keyOffset + i]) - int(keys[b.keyOffset + i]);
      if (difference != 0) return difference;
    }
    return a.keySize - b.keySize;
  }
};

// Keys are non-negative ints, so that differences do not overflow.
struct NumberOrder {
  static __device__ int compare(const Byte* keys, const Entry& a, const Entry& b) {
    return *reinterpret_cast<const int*>(keys + a.keyOffset) - *reinterpret_cast<const int*>(keys + b.keyOffset);
  }
};

struct FallingNumberOrder {
  static __device__ int compare(const Byte* keys, const Entry& a, const Entry& b) { return NumberOrder::compare(keys, b, a); }
};

// Records of one key keep their order: of two, the one emitted first comes first.
template <class Order>
__device__ bool comesBefore(const Byte* keys, const Entry& a, const Entry& b) {
  if (a.keySize == kPaddingKey || b.keySize == kPaddingKey) return a.keySize != kPaddingKey;
  const int order = Order::compare(keys, a, b);
  return order != 0 ? order < 0 : a.keyOffset < b.keyOffset;
}

// One comparison of Batcher's bitonic sort: `pair` of those that are `distance` apart, in runs of `span`.
template <class Order>
__device__ void sortPair(const Byte* keys, Entry* entries, int pair, int distance, bool rising) {
  const int low = 2 * pair - (pair & (distance - 1));
  const Entry first = entries[low], second = entries[low + distance];
  if (comesBefore<Order>(keys, second, first) != rising) return;
  entries[low] = second;
  entries[low + distance] = first;
}

template <class Order>
__global__ void sortAcrossBlocks(const Byte* keys, Entry* directory, int span, int distance) {
  const int pair = blockIdx.x * kMapThreads + threadIdx.x;
  sortPair<Order>(keys, directory, pair, distance, (2 * pair & span) == 0);
}

// All comparisons with distances below kSortEntries, for the runs from `firstSpan` to `lastSpan`.
template <class Order>
__global__ void sortInBlocks(const Byte* keys, Entry* directory, int firstSpan, int lastSpan) {
  __shared__ Entry entries[kSortEntries];
  const int thread = threadIdx.x, pair = blockIdx.x * kMapThreads + thread;
  Entry* own = directory + size_t(blockIdx.x) * kSortEntries;
  entries[thread] = own[thread];
  entries[thread + kMapThreads] = own[thread + kMapThreads];
  for (int span = firstSpan; span <= lastSpan; span *= 2)
    for (int distance = span / 2 < kMapThreads ? span / 2 : kMapThreads; distance > 0; distance /= 2) {
      __syncthreads();
      sortPair<Order>(keys, entries, thread, distance, (2 * pair & span) == 0);
    }
  __syncthreads();
  own[thread] = entries[thread];
  own[thread + kMapThreads] = entries[thread + kMapThreads];
}

// first: one int more than there are records, the last 0.
template <class Order>
__global__ void groupMark(const Byte* keys, const Entry* directory, int* first, int records) {
  const int record = blockIdx.x * kMapThreads + threadIdx.x;
  if (record > records) return;
  first[record] = record < records && (record == 0 || Order::compare(keys, directory[record - 1], directory[record]) != 0);
}

// order: the prefix sums of the marks. starts: one int more than there are groups; the last is the number of records.
__global__ void groupStarts(const int* order, int* starts, int records) {
  const int record = blockIdx.x * kMapThreads + threadIdx.x;
  if (record < records && order[record + 1] != order[record]) starts[order[record]] = record;
  if (record == records) starts[order[records]] = records;
}

// How much each thread of a pass emits; after sum(), where each begins.
class Emissions {
 public:
  explicit Emissions(int threads) : keyBytes(zeros(threads)), valueBytes(zeros(threads)), records(zeros(threads)) {}

  void sum() {
    totalKeyBytes = prefixSumsWithTotal(keyBytes);
    totalValueBytes = prefixSumsWithTotal(valueBytes);
    totalRecords = prefixSumsWithTotal(records);
  }

  const DeviceArray<int> keyBytes, valueBytes, records;
  int totalKeyBytes = 0, totalValueBytes = 0, totalRecords = 0;

 private:
  static std::vector<int> zeros(int threads) { return std::vector<int>(threads + 1, 0); }
};

// The records that a pass emits.
class Records {
 public:
  explicit Records(const Emissions& room)
      : count(room.totalRecords),
        keys(std::max(room.totalKeyBytes, 1)),
        values(std::max(room.totalValueBytes, 1)),
        directory(std::vector<Entry>(paddedCount(room.totalRecords), Entry{0, kPaddingKey, 0, 0})) {}

  template <class Order>
  void sort() const {
    const int padded = int(directory.size()), blocks = padded / kSortEntries;
    sortInBlocks<Order><<<blocks, kMapThreads>>>(keys.data(), directory.data(), 2, kSortEntries);
    for (int span = 2 * kSortEntries; span <= padded; span *= 2) {
      for (int distance = span / 2; distance > kMapThreads; distance /= 2)
        sortAcrossBlocks<Order><<<blocks, kMapThreads>>>(keys.data(), directory.data(), span, distance);
      sortInBlocks<Order><<<blocks, kMapThreads>>>(keys.data(), directory.data(), span, span);
    }
  }

  const int count;
  const DeviceArray<Byte> keys, values;
  const DeviceArray<Entry> directory;

 private:
  static int paddedCount(int records) {
    int padded = kSortEntries;
    while (padded < records) padded *= 2;
    return padded;
  }
};

// Where in sorted records each group of equal keys begins. Its last start is the number of records.
class Groups {
 public:
  template <class Order>
  static Groups of(const Records& records, Order) {
    const DeviceArray<int> order(records.count + 1);
    const int blocks = divideUp(records.count + 1, kMapThreads);
    groupMark<Order><<<blocks, kMapThreads>>>(records.keys.data(), records.directory.data(), order.data(), records.count);
    return Groups(prefixSumsWithTotal(order), order, records.count);
  }

  const int count;
  const DeviceArray<int> starts;

 private:
  Groups(int groups, const DeviceArray<int>& order, int records) : count(groups), starts(groups + 1) {
    groupStarts<<<divideUp(records + 1, kMapThreads), kMapThreads>>>(order.data(), starts.data(), records);
    finishKernels();
  }
};

// What a record holds, brought to the host: its bytes as numbers or text.
class HostRecords {
 public:
  explicit HostRecords(const Records& records)
      : count(records.count),
        keys_(records.keys.download()),
        values_(records.values.download()),
        directory_(records.directory.download()) {}

  template <class T>
  T key(int record) const {
    return read<T>(keys_, directory_[record].keyOffset);
  }
  template <class T>
  T value(int record) const {
    return read<T>(values_, directory_[record].valueOffset);
  }
  std::string keyText(int record) const { return text(keys_, directory_[record].keyOffset, directory_[record].keySize); }
  std::string valueText(int record) const { return text(values_, directory_[record].valueOffset, directory_[record].valueSize); }

  const int count;

 private:
  template <class T>
  static T read(const std::vector<Byte>& bytes, int offset) {
    T result;
    std::memcpy(&result, &bytes[offset], sizeof(T));
    return result;
  }
  static std::string text(const std::vector<Byte>& bytes, int offset, int size) {
    return std::string(bytes.begin() + offset, bytes.begin() + offset + size);
  }

  std::vector<Byte> keys_, values_;
  std::vector<Entry> directory_;
};

}  // namespace workloads
