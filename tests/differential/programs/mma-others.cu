// mma.sync with tf32 (m16n8k8), double (m8n8k4) and bytes (m16n8k32) by inline PTX.
// arch: 80
#include "check.hpp"
#include "matrices.hpp"

__global__ void tf32(const float* a, const float* b, float* d) {
  const int group = threadIdx.x / 4, thread = threadIdx.x % 4, place = 8 * group + 2 * thread;
  const unsigned a0 = __float_as_uint(a[8 * group + thread]), a1 = __float_as_uint(a[8 * (group + 8) + thread]);
  const unsigned a2 = __float_as_uint(a[8 * group + thread + 4]), a3 = __float_as_uint(a[8 * (group + 8) + thread + 4]);
  const unsigned b0 = __float_as_uint(b[8 * thread + group]), b1 = __float_as_uint(b[8 * (thread + 4) + group]);
  float s[4] = {};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  d[place] = s[0], d[place + 1] = s[1], d[place + 64] = s[2], d[place + 65] = s[3];
}

__global__ void doubles(const double* a, const double* b, double* d) {
  const int group = threadIdx.x / 4, thread = threadIdx.x % 4, place = 8 * group + 2 * thread;
  double s0 = 0.25, s1 = -0.25;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(s0), "+d"(s1)
               : "d"(a[4 * group + thread]), "d"(b[8 * thread + group]));
  d[place] = s0, d[place + 1] = s1;
}

// b is given by columns, so that four neighbouring bytes are one register.
__global__ void bytes(const unsigned* a, const unsigned* b, int* d) {
  const int group = threadIdx.x / 4, thread = threadIdx.x % 4, place = 8 * group + 2 * thread;
  int s[4] = {};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(a[8 * group + thread]), "r"(a[8 * (group + 8) + thread]), "r"(a[8 * group + thread + 4]),
                 "r"(a[8 * (group + 8) + thread + 4]), "r"(b[8 * group + thread]), "r"(b[8 * group + thread + 4]));
  d[place] = s[0], d[place + 1] = s[1], d[place + 64] = s[2], d[place + 65] = s[3];
}

template <typename T>
std::vector<unsigned> words(const std::vector<int>& values) {
  const auto narrow = as<T>(values);
  std::vector<unsigned> result(values.size() / 4);
  std::memcpy(result.data(), narrow.data(), narrow.size());
  return result;
}

int main() {
  const auto a = matrix(16, 8, 1, 500), b = matrix(8, 8, 2, 500);
  Buffer<float> fa(as<float>(a)), fb(as<float>(b)), fd(128);
  tf32<<<1, 32>>>(fa, fb, fd);
  check::same(fd.read(), as<float>(product(a, b, std::vector<int>(128), 16, 8, 8)), "tf32");

  const auto c = matrix(8, 4, 3, 500), e = matrix(4, 8, 4, 500);
  Buffer<double> da(as<double>(c)), db(as<double>(e)), dd(64);
  doubles<<<1, 32>>>(da, db, dd);
  const auto whole = product(c, e, std::vector<int>(64), 8, 8, 4);
  check::same(dd.read(), table(64, [&](size_t i) { return whole[i] + (i % 2 == 0 ? 0.25 : -0.25); }), "double");

  const auto f = matrix(16, 32, 5, 127), g = matrix(32, 8, 6, 127);
  Buffer<unsigned> ba(words<signed char>(f)), bb(words<signed char>(transposed(g, 32, 8)));
  Buffer<int> bd(128);
  bytes<<<1, 32>>>(ba, bb, bd);
  check::same(bd.read(), product(f, g, std::vector<int>(128), 16, 8, 32), "bytes");
  return check::finish();
}
