// Bitonic sorts of a warp's pairs of a key and a value that travel by shuffles, with every order of types: pairs with a bool, whose
// comparison is one of predicates, with padding, and with what has no value in the lanes beyond the end.
// levels: 0 2
#include <algorithm>

#include "check.hpp"

template <typename Key, typename Value>
struct Pair {
  Key key;
  Value value;
  __host__ __device__ bool operator<(const Pair& other) const { return key < other.key || (key == other.key && value < other.value); }
  __host__ __device__ bool operator>(const Pair& other) const { return key > other.key || (key == other.key && value > other.value); }
  __host__ __device__ bool operator==(const Pair& other) const { return key == other.key && value == other.value; }
};

template <typename Key, typename Value>
__device__ Pair<Key, Value> partnerOf(const Pair<Key, Value>& mine, int distance) {
  return {static_cast<Key>(__shfl_xor_sync(~0u, mine.key, distance)), static_cast<Value>(__shfl_xor_sync(~0u, mine.value, distance))};
}

// The same by words, padding and all.
template <typename T>
__device__ T partnerByWords(const T& mine, int distance) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned words[kWords];
  memcpy(words, &mine, sizeof(T));
  for (unsigned& word : words) word = __shfl_xor_sync(~0u, word, distance);
  T other;
  memcpy(&other, words, sizeof(T));
  return other;
}

template <typename T>
__device__ T smaller(const T& a, const T& b) {
  return b < a ? b : a;
}
template <typename T>
__device__ T larger(const T& a, const T& b) {
  return b > a ? b : a;
}

// Each step keeps the smaller or the larger of two.
template <typename T>
__device__ T sortedByMinimum(T mine) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const T other = partnerOf(mine, distance);
      const bool ascending = (lane & size) == 0, first = (lane & distance) == 0;
      mine = ascending == first ? smaller(mine, other) : larger(mine, other);
    }
  }
  return mine;
}

template <typename T>
__device__ T sortedByWords(T mine) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const T other = partnerByWords(mine, distance);
      if ((mine < other) != (((lane & size) == 0) == ((lane & distance) == 0))) mine = other;
    }
  }
  return mine;
}

// Each step swaps or does not, by a comparison whose result two lanes share.
template <typename T>
__device__ T sortedBySwap(T mine) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const T other = partnerOf(mine, distance);
      const bool ascending = (lane & size) == 0, first = (lane & distance) == 0;
      const bool swap = first ? (ascending ? other < mine : mine < other) : (ascending ? mine < other : other < mine);
      mine.key = swap ? other.key : mine.key;
      mine.value = swap ? other.value : mine.value;
    }
  }
  return mine;
}

// Descending, with a flag that tells which lanes have a pair at all; the others' pairs have no value.
template <typename T>
__device__ T sortedValid(const T* in, int count) {
  const int lane = threadIdx.x % 32;
  T mine;
  bool valid = lane < count;
  if (valid) mine = in[lane];
  for (int size = 2; size <= 32; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const T other = partnerOf(mine, distance);
      const bool otherValid = __shfl_xor_sync(~0u, valid, distance);
      const bool descending = (lane & size) == 0, first = (lane & distance) == 0;
      const bool mineFirst = valid && (!otherValid || mine > other), otherFirst = otherValid && (!valid || other > mine);
      if (descending == first ? otherFirst : mineFirst) {
        mine = other;
        valid = otherValid;
      }
    }
  }
  return mine;
}

template <typename T>
__global__ void sorts(const T* in, int count, T* out) {
  const int i = threadIdx.x;
  out[i] = sortedByMinimum(in[i]);
  out[64 + i] = sortedBySwap(in[i]);
  out[128 + i] = sortedByWords(in[i]);
  const T mine = sortedValid(in + i / 32 * 32, count);
  if (i % 32 < count) out[192 + i] = mine;
}

template <typename Key, typename Value>
void sorted(const char* name) {
  using T = Pair<Key, Value>;
  constexpr int kCount = 21;
  const auto values = table(64, [](size_t i) { return T{static_cast<Key>(i * 37 % 11), static_cast<Value>(i * 13 % 7 % 2)}; });
  auto wanted = values;
  for (int copy = 0; copy < 3; ++copy) wanted.insert(wanted.end(), values.begin(), values.end());
  for (int start = 0; start < 192; start += 32) std::sort(wanted.begin() + start, wanted.begin() + start + 32);
  for (int start = 192; start < 256; start += 32)
    std::sort(wanted.begin() + start, wanted.begin() + start + kCount, [](const T& a, const T& b) { return a > b; });
  Buffer<T> in(values), out(256);
  sorts<<<1, 64>>>(in.get(), kCount, out.get());
  const auto got = out.read();
  // By members: padding has no value.
  std::vector<int> gotNumbers, wantedNumbers;
  for (int i = 0; i < 256; ++i) {
    if (i >= 192 && i % 32 >= kCount) continue;
    gotNumbers.push_back(static_cast<int>(got[i].key) * 1000 + static_cast<int>(got[i].value));
    wantedNumbers.push_back(static_cast<int>(wanted[i].key) * 1000 + static_cast<int>(wanted[i].value));
  }
  check::same(gotNumbers, wantedNumbers, name);
}

int main() {
  sorted<int, bool>("int and bool");
  sorted<bool, int>("bool and int");
  sorted<bool, bool>("two bools");
  sorted<unsigned, bool>("unsigned and bool");
  sorted<float, int>("float and int");
  sorted<short, unsigned char>("short and byte");
  sorted<long long, bool>("64 bits and bool");
  sorted<double, float>("double and float");
  return check::finish();
}
