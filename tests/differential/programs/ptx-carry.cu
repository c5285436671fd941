// Chains of additions, subtractions and products with carry: numbers of 128 and 256 bits.
#include "check.hpp"

__global__ void add(const unsigned* a, const unsigned* b, unsigned* out) {
  const int i = 8 * threadIdx.x;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(out[i]) : "r"(a[i]), "r"(b[i]));
  unsigned r[8], s[8];
  asm volatile(
      "add.cc.u32 %0, %8, %16; addc.cc.u32 %1, %9, %17; addc.cc.u32 %2, %10, %18; addc.cc.u32 %3, %11, %19;"
      "addc.cc.u32 %4, %12, %20; addc.cc.u32 %5, %13, %21; addc.cc.u32 %6, %14, %22; addc.u32 %7, %15, %23;"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
      : "r"(a[i]), "r"(a[i + 1]), "r"(a[i + 2]), "r"(a[i + 3]), "r"(a[i + 4]), "r"(a[i + 5]), "r"(a[i + 6]), "r"(a[i + 7]),
        "r"(b[i]), "r"(b[i + 1]), "r"(b[i + 2]), "r"(b[i + 3]), "r"(b[i + 4]), "r"(b[i + 5]), "r"(b[i + 6]), "r"(b[i + 7]));
  asm volatile(
      "sub.cc.u32 %0, %4, %8; subc.cc.u32 %1, %5, %9; subc.cc.u32 %2, %6, %10; subc.u32 %3, %7, %11;"
      : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3])
      : "r"(a[i]), "r"(a[i + 1]), "r"(a[i + 2]), "r"(a[i + 3]), "r"(b[i]), "r"(b[i + 1]), "r"(b[i + 2]), "r"(b[i + 3]));
  // (a1 a0) * b0 as three words.
  asm volatile("mul.lo.u32 %0, %3, %5; mul.hi.u32 %1, %3, %5; mad.lo.cc.u32 %1, %4, %5, %1; madc.hi.u32 %2, %4, %5, 0;"
               : "=r"(s[4]), "=&r"(s[5]), "=r"(s[6])
               : "r"(a[i]), "r"(a[i + 1]), "r"(b[i]));
  s[7] = 0;
  for (int k = 0; k < 8; ++k) out[i + k] = r[k], out[512 + i + k] = s[k];
}

int main() {
  const auto word = [](size_t i) { return i % 5 == 0 ? ~0u : static_cast<unsigned>((i + 3) * 2654435761u); };
  const auto a = table(512, word), b = table(512, [&](size_t i) { return i % 7 < 3 ? 0u - word(i) : word(i * 3); });
  Buffer<unsigned> da(a), db(b), out(1024);
  add<<<1, 64>>>(da, db, out);
  std::vector<unsigned> wanted(1024);
  for (int i = 0; i < 512; i += 8) {
    unsigned long long carry = 0;
    long long borrow = 0;
    for (int k = 0; k < 8; ++k) {
      carry += static_cast<unsigned long long>(a[i + k]) + b[i + k];
      wanted[i + k] = static_cast<unsigned>(carry);
      carry >>= 32;
    }
    for (int k = 0; k < 4; ++k) {
      borrow += static_cast<long long>(a[i + k]) - b[i + k];
      wanted[512 + i + k] = static_cast<unsigned>(borrow);
      borrow >>= 32;
    }
    const auto product = static_cast<unsigned __int128>(static_cast<unsigned long long>(a[i + 1]) << 32 | a[i]) * b[i];
    for (int k = 0; k < 3; ++k) wanted[512 + i + 4 + k] = static_cast<unsigned>(product >> 32 * k);
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
