// mma.sync: fragments are packed by the formulas of the PTX manual ("Matrix Fragments for mma.m…n…k…"), written out shape by shape; results
// are compared with products of integers, which every accumulation order gives exactly.
#include <functional>

#include "kernel.hpp"
#include "numbers.hpp"

namespace warpwright::tensor {
namespace {

struct Place {
  u32 row, column;
};
using Layout = std::function<Place(u32 lane, u32 i)>;

struct Case {
  std::string shape;
  u32 m, n, k;
  std::string d, a, b, c;
  u32 wordsA, wordsB, wordsC;  // registers; those of f64 count twice
  Layout layoutA, layoutB, layoutC;
};

u32 g(u32 lane) { return lane >> 2; }
u32 t(u32 lane) { return lane % 4; }

const Layout kAccumulator = [](u32 l, u32 i) { return Place{g(l) + (i < 2 ? 0 : 8), t(l) * 2 + (i & 1)}; };

std::vector<Case> cases() {
  const Layout f16A8 = [](u32 l, u32 i) { return Place{i < 2 ? g(l) : g(l) + 8, t(l) * 2 + (i & 1)}; };
  const Layout f16B8 = [](u32 l, u32 i) { return Place{t(l) * 2 + i, g(l)}; };
  const Layout f16A16 = [](u32 l, u32 i) {
    const bool upper = i < 2 || (i >= 4 && i < 6);
    return Place{upper ? g(l) : g(l) + 8, t(l) * 2 + (i & 1) + (i < 4 ? 0 : 8)};
  };
  const Layout f16B16 = [](u32 l, u32 i) { return Place{t(l) * 2 + (i & 1) + (i < 2 ? 0 : 8), g(l)}; };
  const Layout tf32A4 = [](u32 l, u32 i) { return Place{i == 0 ? g(l) : g(l) + 8, t(l)}; };
  const Layout tf32B4 = [](u32 l, u32) { return Place{t(l), g(l)}; };
  const Layout tf32A8 = [](u32 l, u32 i) { return Place{i == 0 || i == 2 ? g(l) : g(l) + 8, i < 2 ? t(l) : t(l) + 4}; };
  const Layout tf32B8 = [](u32 l, u32 i) { return Place{i == 0 ? t(l) : t(l) + 4, g(l)}; };
  const Layout f64A = [](u32 l, u32) { return Place{g(l), t(l)}; };
  const Layout f64C = [](u32 l, u32 i) { return Place{g(l), t(l) * 2 + (i & 1)}; };
  const Layout f64A16 = [](u32 l, u32 i) { return Place{i % 2 == 0 ? g(l) : g(l) + 8, (i % 2 == 0 ? i * 2 : i * 2 - 2) + t(l)}; };
  const Layout f64B16 = [](u32 l, u32 i) { return Place{t(l) + i * 4, g(l)}; };
  const Layout s8A8 = [](u32 l, u32 i) { return Place{g(l), t(l) * 4 + i}; };
  const Layout s8B8 = [](u32 l, u32 i) { return Place{t(l) * 4 + i, g(l)}; };
  const Layout s8A16 = [](u32 l, u32 i) { return Place{i < 4 ? g(l) : g(l) + 8, t(l) * 4 + (i & 3)}; };
  const Layout s8A32 = [](u32 l, u32 i) {
    const bool upper = i < 4 || (i >= 8 && i < 12);
    return Place{upper ? g(l) : g(l) + 8, t(l) * 4 + (i & 3) + (i < 8 ? 0 : 16)};
  };
  const Layout s8B32 = [](u32 l, u32 i) { return Place{t(l) * 4 + (i & 3) + (i < 4 ? 0 : 16), g(l)}; };
  const Layout s4A8 = [](u32 l, u32 i) { return Place{g(l), t(l) * 8 + i}; };
  const Layout s4B8 = [](u32 l, u32 i) { return Place{t(l) * 8 + i, g(l)}; };
  const Layout s4A32 = [](u32 l, u32 i) { return Place{i < 8 ? g(l) : g(l) + 8, t(l) * 8 + (i & 7)}; };
  const Layout s4A64 = [](u32 l, u32 i) {
    const bool upper = i < 8 || (i >= 16 && i < 24);
    return Place{upper ? g(l) : g(l) + 8, t(l) * 8 + (i & 7) + (i < 16 ? 0 : 32)};
  };
  const Layout s4B64 = [](u32 l, u32 i) { return Place{t(l) * 8 + (i & 7) + (i < 8 ? 0 : 32), g(l)}; };
  std::vector<Case> all = {
      {"m16n8k8", 16, 8, 8, "f32", "f16", "f16", "f32", 2, 1, 4, f16A8, f16B8, kAccumulator},
      {"m16n8k8", 16, 8, 8, "f16", "f16", "f16", "f16", 2, 1, 2, f16A8, f16B8, kAccumulator},
      {"m16n8k16", 16, 8, 16, "f32", "f16", "f16", "f32", 4, 2, 4, f16A16, f16B16, kAccumulator},
      {"m16n8k16", 16, 8, 16, "f16", "f16", "f16", "f16", 4, 2, 2, f16A16, f16B16, kAccumulator},
      {"m16n8k8", 16, 8, 8, "f32", "bf16", "bf16", "f32", 2, 1, 4, f16A8, f16B8, kAccumulator},
      {"m16n8k16", 16, 8, 16, "f32", "bf16", "bf16", "f32", 4, 2, 4, f16A16, f16B16, kAccumulator},
      {"m16n8k4", 16, 8, 4, "f32", "tf32", "tf32", "f32", 2, 1, 4, tf32A4, tf32B4, kAccumulator},
      {"m16n8k8", 16, 8, 8, "f32", "tf32", "tf32", "f32", 4, 2, 4, tf32A8, tf32B8, kAccumulator},
      {"m8n8k4", 8, 8, 4, "f64", "f64", "f64", "f64", 2, 2, 4, f64A, tf32B4, f64C},
      {"m16n8k4", 16, 8, 4, "f64", "f64", "f64", "f64", 4, 2, 8, tf32A4, tf32B4, kAccumulator},
      {"m16n8k8", 16, 8, 8, "f64", "f64", "f64", "f64", 8, 4, 8, tf32A8, tf32B8, kAccumulator},
      {"m16n8k16", 16, 8, 16, "f64", "f64", "f64", "f64", 16, 8, 8, f64A16, f64B16, kAccumulator},
  };
  for (const std::string a : {"s8", "u8"}) {
    for (const std::string b : {"s8", "u8"}) {
      all.push_back({"m8n8k16", 8, 8, 16, "s32", a, b, "s32", 1, 1, 2, s8A8, s8B8, f64C});
      all.push_back({"m16n8k16", 16, 8, 16, "s32", a, b, "s32", 2, 1, 4, s8A16, s8B8, kAccumulator});
      all.push_back({"m16n8k32", 16, 8, 32, "s32", a, b, "s32", 4, 2, 4, s8A32, s8B32, kAccumulator});
    }
  }
  for (const std::string a : {"s4", "u4"}) {
    for (const std::string b : {"s4", "u4"}) {
      all.push_back({"m8n8k32", 8, 8, 32, "s32", a, b, "s32", 1, 1, 2, s4A8, s4B8, f64C});
      all.push_back({"m16n8k32", 16, 8, 32, "s32", a, b, "s32", 2, 1, 4, s4A32, s4B8, kAccumulator});
      all.push_back({"m16n8k64", 16, 8, 64, "s32", a, b, "s32", 4, 2, 4, s4A64, s4B64, kAccumulator});
    }
  }
  return all;
}

// Loads a fragment's registers from consecutive words at the thread's place in the input.
std::string loads(const std::string& name, const std::string& type, u32 words, u32 wordsPerThread, u32 offset) {
  std::string text = ".reg ." + type + " %" + name + "<" + std::to_string(words) + ">;\nmul.wide.u32 %addr, %tid, " +
                     std::to_string(4 * wordsPerThread) + ";\nadd.u64 %addr, %addr, %in;\n";
  const u32 size = type == "f64" ? 8 : 4;
  for (u32 i = 0; i < words * 4 / size; ++i)
    text += "ld.global." + type + " %" + name + std::to_string(i) + ", [%addr+" + std::to_string(4 * offset + i * size) + "];\n";
  return text;
}

std::string registerType(const std::string& element) { return element == "f64" || element == "f32" ? element : "b32"; }
u32 registersOf(const std::string& element, u32 words) { return element == "f64" ? words / 2 : words; }

std::string bodyOf(const std::string& instruction, const Case& c) {
  const u32 each = c.wordsA + c.wordsB + c.wordsC;
  std::string text = loads("a", registerType(c.a), c.wordsA, each, 0) + loads("b", registerType(c.b), c.wordsB, each, c.wordsA) +
                     loads("c", registerType(c.c), c.wordsC, each, c.wordsA + c.wordsB);
  const std::string type = registerType(c.d);
  const u32 count = registersOf(c.d, c.wordsC), size = type == "f64" ? 8 : 4;
  text += ".reg ." + type + " %d<" + std::to_string(count) + ">;\n" + instruction + " " + vectorOf("d", count) + ", " +
          vectorOf("a", registersOf(c.a, c.wordsA)) + ", " + vectorOf("b", registersOf(c.b, c.wordsB)) + ", " +
          vectorOf("c", registersOf(c.c, c.wordsC)) + ";\nmul.wide.u32 %addr, %tid, " + std::to_string(4 * c.wordsC) +
          ";\nadd.u64 %addr, %addr, %out;\n";
  for (u32 i = 0; i < count; ++i) text += "st.global." + type + " [%addr+" + std::to_string(i * size) + "], %d" + std::to_string(i) + ";\n";
  return text;
}

void pack(std::vector<u32>& words, u32 each, u32 offset, u32 count, const std::string& type, const Matrix& matrix, u32 columns,
          const Layout& layout) {
  const u32 bits = bitsOf(type);
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 i = 0; i < count * 32 / bits; ++i) {
      const Place place = layout(lane, i);
      writeBits(&words[lane * each + offset], i * bits, bits, encode(type, matrix.at(place.row * columns + place.column)));
    }
}

Matrix multiply(const Case& c, const std::string& instruction, const Matrix& a, const Matrix& b, const Matrix& sum) {
  const u32 each = c.wordsA + c.wordsB + c.wordsC;
  std::vector<u32> words(32 * each);
  pack(words, each, 0, c.wordsA, c.a, a, c.k, c.layoutA);
  pack(words, each, c.wordsA, c.wordsB, c.b, b, c.n, c.layoutB);
  pack(words, each, c.wordsA + c.wordsB, c.wordsC, c.c, sum, c.n, c.layoutC);
  const std::vector<u32> out = run<u32>(bodyOf(instruction, c), words, 32 * c.wordsC);
  Matrix d(c.m * c.n);
  const u32 bits = bitsOf(c.d);
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 i = 0; i < c.wordsC * 32 / bits; ++i) {
      const Place place = c.layoutC(lane, i);
      d.at(place.row * c.n + place.column) = decode(c.d, readBits(&out[lane * c.wordsC], i * bits, bits));
    }
  return d;
}

std::string instructionOf(const Case& c, const std::string& modifiers = "") {
  return "mma.sync.aligned." + c.shape + ".row.col." + modifiers + c.d + "." + c.a + "." + c.b + "." + c.c;
}

TEST(Mma, ProductsOfIntegersAreExactInEveryShapeAndType) {
  u32 seed = 1;
  for (const Case& c : cases()) {
    const Matrix a = randomIntegers(c.m * c.k, c.a, seed++), b = randomIntegers(c.k * c.n, c.b, seed++);
    const Matrix sum = randomIntegers(c.m * c.n, c.c, seed++);
    EXPECT_EQ(multiply(c, instructionOf(c), a, b, sum), product(a, b, sum, c.m, c.n, c.k)) << instructionOf(c);
  }
}

// Every step rounds to f32: the error is at most K halves of the last place of the largest partial sum.
TEST(Mma, RandomHalvesStayWithinTheAccumulationError) {
  const Case c = cases()[2];
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> value(-2, 2);
  const auto matrix = [&](u32 elements, const std::string& type) {
    Matrix result(elements);
    for (double& element : result) element = decode(type, encode(type, 1 + value(generator) / 4)) * (generator() % 2 ? 1 : -1);
    return result;
  };
  const Matrix a = matrix(c.m * c.k, "f16"), b = matrix(c.k * c.n, "f16"), sum = matrix(c.m * c.n, "f32");
  const Matrix exact = product(a, b, sum, c.m, c.n, c.k), got = multiply(c, instructionOf(c), a, b, sum);
  Matrix magnitudeA = a, magnitudeB = b, magnitude = sum;
  for (Matrix* m : {&magnitudeA, &magnitudeB, &magnitude})
    for (double& element : *m) element = std::fabs(element);
  const Matrix bound = product(magnitudeA, magnitudeB, magnitude, c.m, c.n, c.k);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(got[i], exact[i], bound[i] * c.k * 0x1p-24) << i;
}

// 2^24 + 1 + 1 …: sums in order, each rounded to f32, stay at 2^24.
TEST(Mma, AccumulatesInOrderWithSinglePrecision) {
  const Case c = cases()[0];
  Matrix a(c.m * c.k, 1), b(c.k * c.n, 1), sum(c.m * c.n, 0x1p24);
  EXPECT_EQ(multiply(c, instructionOf(c), a, b, sum), sum);
}

TEST(Mma, SaturatesIntegerSums) {
  const Case c = {"m16n8k16", 16, 8, 16, "s32", "s8", "s8", "s32", 2, 1, 4, cases()[13].layoutA, cases()[13].layoutB, kAccumulator};
  Matrix a(c.m * c.k, 127), b(c.k * c.n, 127), sum(c.m * c.n, 2147483000.0);
  EXPECT_EQ(multiply(c, instructionOf(c, "satfinite."), a, b, sum), Matrix(c.m * c.n, 2147483647.0));
  EXPECT_EQ(multiply(c, instructionOf(c), a, b, sum), Matrix(c.m * c.n, 2147483000.0 + 16 * 127 * 127 - 0x1p32));
}

// m8n8k4 of f16: four products, one for each group of eight lanes (manual: "MMA computation 1 … 4").
TEST(Mma, QuadPairsMultiplyFourMatrices) {
  for (const bool columnA : {false, true}) {
    for (const bool columnB : {false, true}) {
      for (const std::string type : {"f16", "f32"}) {
        const u32 wordsC = type == "f32" ? 8 : 4;
        Case c = {"m8n8k4", 8, 8, 4, type, "f16", "f16", type, 2, 2, wordsC, {}, {}, {}};
        std::vector<u32> words(32 * (4 + wordsC));
        std::vector<Matrix> expected;
        const auto high = [](u32 l) { return l < 16 ? 0u : 4u; };
        c.layoutA = [&](u32 l, u32 i) { return columnA ? Place{i % 4 + high(l), l % 4} : Place{l % 4 + high(l), i}; };
        c.layoutB = [&](u32 l, u32 i) { return columnB ? Place{i, l % 4 + high(l)} : Place{l % 4, i + high(l)}; };
        c.layoutC = [&](u32 l, u32 i) {
          return type == "f16" ? Place{l % 4 + high(l), i} : Place{(l & 1) + (i & 2) + high(l), (i & 4) + (l & 2) + (i & 1)};
        };
        const std::string instruction =
            std::string("mma.sync.aligned.m8n8k4.") + (columnA ? "col." : "row.") + (columnB ? "col." : "row.") + type + ".f16.f16." + type;
        Matrix a[4], b[4], sum[4];
        for (u32 q = 0; q < 4; ++q) {
          a[q] = randomIntegers(32, "f16", 10 + q), b[q] = randomIntegers(32, "f16", 20 + q), sum[q] = randomIntegers(64, "f16", 30 + q);
          const auto only = [&](const Layout& layout) { return layout; };
          std::vector<u32> mine(words.size());
          pack(mine, 4 + wordsC, 0, 2, "f16", a[q], 4, only(c.layoutA));
          pack(mine, 4 + wordsC, 2, 2, "f16", b[q], 8, only(c.layoutB));
          pack(mine, 4 + wordsC, 4, wordsC, type, sum[q], 8, only(c.layoutC));
          for (u32 lane = 0; lane < 32; ++lane)
            if (lane % 16 / 4 == q) std::copy_n(&mine[lane * (4 + wordsC)], 4 + wordsC, &words[lane * (4 + wordsC)]);
        }
        const std::vector<u32> out = run<u32>(bodyOf(instruction, c), words, 32 * wordsC);
        const u32 bits = bitsOf(type);
        for (u32 lane = 0; lane < 32; ++lane) {
          const u32 q = lane % 16 / 4;
          const Matrix wanted = product(a[q], b[q], sum[q], 8, 8, 4);
          for (u32 i = 0; i < 8; ++i) {
            const Place place = c.layoutC(lane, i);
            EXPECT_EQ(decode(type, readBits(&out[lane * wordsC], i * bits, bits)), wanted[place.row * 8 + place.column])
                << instruction << " lane " << lane << " element " << i;
          }
        }
      }
    }
  }
}

TEST(Mma, DivergentWarpIsReported) {
  const std::string body =
      ".reg .pred %p;\n.reg .b32 %a<2>, %b<1>;\n.reg .f32 %c<4>;\nmov.b32 %a0, 0;\nmov.b32 %a1, 0;\nmov.b32 %b0, 0;\n"
      "mov.f32 %c0, 0f00000000;\nmov.f32 %c1, %c0;\nmov.f32 %c2, %c0;\nmov.f32 %c3, %c0;\n"
      "setp.lt.u32 %p, %tid, 16;\n@%p bra skip;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%c0,%c1,%c2,%c3}, {%a0,%a1}, {%b0}, {%c0,%c1,%c2,%c3};\nskip:";
  std::vector<u32> out(1);
  const exec::LaunchResult result = launch(kernelText(body), std::vector<u32>{}, out);
  EXPECT_EQ(result.status, exec::LaunchStatus::illegalInstruction);
  EXPECT_NE(result.message.find("16 of the 32 threads"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("test.ptx"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace warpwright::tensor
