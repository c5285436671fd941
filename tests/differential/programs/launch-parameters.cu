// Parameters of many sizes and alignments, up to the 4 KB that a kernel may take.
#include "check.hpp"

struct Odd {
  char tag;
  double value;
  short pair[2];
};
struct Large {
  int words[1000];
};
struct alignas(16) Wide {
  float4 vector;
  unsigned char tail[3];
};
enum class Mode : unsigned char { kSum = 3 };

__global__ void mixed(double* out, char a, Odd odd, short b, Wide wide, bool flag, long long c, Mode mode, float d) {
  out[0] = a;
  out[1] = odd.tag + odd.value + odd.pair[0] + odd.pair[1];
  out[2] = b;
  out[3] = wide.vector.x + wide.vector.y + wide.vector.z + wide.vector.w + wide.tail[2];
  out[4] = flag;
  out[5] = static_cast<double>(c);
  out[6] = static_cast<int>(mode);
  out[7] = d;
}

__global__ void sum(long long* out, Large large) {
  long long total = 0;
  for (int i = static_cast<int>(threadIdx.x); i < 1000; i += blockDim.x) total += large.words[i];
  out[threadIdx.x] = total;
}

int main() {
  Buffer<double> out(8);
  const Odd odd{'b', 0.5, {7, -3}};
  const Wide wide{make_float4(1, 2, 3, 4), {1, 2, 200}};
  mixed<<<1, 1>>>(out, -5, odd, 300, wide, true, 1ll << 40, Mode::kSum, 0.75f);
  check::same(out.read(), {-5, 'b' + 0.5 + 4, 300, 210, 1, static_cast<double>(1ll << 40), 3, 0.75}, "mixed");

  Large large;
  for (int i = 0; i < 1000; ++i) large.words[i] = i * i - 5000;
  Buffer<long long> totals(10);
  sum<<<1, 10>>>(totals, large);
  auto wanted = std::vector<long long>(10);
  for (int i = 0; i < 1000; ++i) wanted[i % 10] += i * i - 5000;
  check::same(totals.read(), wanted, "4000 bytes");
  return check::finish();
}
