// Structures returned, copied and passed by value between functions; arrays of them in global and shared memory.
#include "check.hpp"

struct Complex {
  double re, im;
};
__host__ __device__ Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

struct Record {
  char name[5];
  short count;
  Complex value;
  float tail[3];
};

__host__ __device__ __noinline__ Record grow(Record record, int by) {
  record.count = static_cast<short>(record.count + by);
  record.value = record.value * Complex{0, 1};
  record.name[by % 5] = 'z';
  for (float& entry : record.tail) entry *= 2;
  return record;
}

__global__ void update(Record* records) {
  __shared__ Record tile[32];
  tile[threadIdx.x] = records[threadIdx.x];
  __syncthreads();
  records[threadIdx.x] = grow(tile[31 - threadIdx.x], threadIdx.x);
}

Record initial(size_t i) {
  Record record;
  std::memset(&record, 0, sizeof record);
  std::memcpy(record.name, "abcd", 5);
  record.count = static_cast<short>(100 * i);
  record.value = {1.0 * i, 2.0 * i + 1};
  for (int k = 0; k < 3; ++k) record.tail[k] = 0.5f * i + k;
  return record;
}

int main() {
  Buffer<Record> records(table(32, initial));
  update<<<1, 32>>>(records);
  const auto got = records.read();
  bool right = true;
  for (int i = 0; i < 32; ++i) {
    const Record wanted = grow(initial(31 - i), i), &r = got[i];
    right &= std::memcmp(r.name, wanted.name, 5) == 0 && r.count == wanted.count && r.value.re == wanted.value.re &&
             r.value.im == wanted.value.im && std::memcmp(r.tail, wanted.tail, sizeof r.tail) == 0;
  }
  check::that(right, "records");
  std::printf("%s %d %g %g %g\n", got[7].name, got[7].count, got[7].value.re, got[7].value.im, got[7].tail[2]);
  return check::finish();
}
