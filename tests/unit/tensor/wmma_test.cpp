// wmma: load, multiply and store whole matrices in memory, every shape, type and layout; ldmatrix, stmatrix and movmatrix.
#include "kernel.hpp"
#include "numbers.hpp"

namespace warpwright::tensor {
namespace {

struct WmmaCase {
  std::string shape;
  u32 m, n, k;
  std::string d, a, b, c;
  u32 registersA, registersB, registersC;
};

std::vector<WmmaCase> wmmaCases() {
  std::vector<WmmaCase> all;
  const struct {
    std::string name;
    u32 m, n, a, b;
  } shapes[] = {{"m16n16k16", 16, 16, 4, 4}, {"m32n8k16", 32, 8, 8, 2}, {"m8n32k16", 8, 32, 2, 8}};
  for (const auto& s : shapes) {
    all.push_back({s.name, s.m, s.n, 16, "f32", "f16", "f16", "f32", 8, 8, 8});
    all.push_back({s.name, s.m, s.n, 16, "f16", "f16", "f16", "f16", 8, 8, 4});
    all.push_back({s.name, s.m, s.n, 16, "f32", "bf16", "bf16", "f32", s.a, s.b, 8});
    all.push_back({s.name, s.m, s.n, 16, "s32", "s8", "s8", "s32", s.a / 2, s.b / 2, 8});
    all.push_back({s.name, s.m, s.n, 16, "s32", "u8", "u8", "s32", s.a / 2, s.b / 2, 8});
  }
  all.push_back({"m16n16k8", 16, 16, 8, "f32", "tf32", "tf32", "f32", 4, 4, 8});
  all.push_back({"m8n8k4", 8, 8, 4, "f64", "f64", "f64", "f64", 1, 1, 2});
  return all;
}

// A matrix in memory, with lines `stride` elements apart.
void put(std::vector<u8>& memory, u64 offset, const std::string& type, const Matrix& matrix, u32 rows, u32 columns, bool byColumns,
         u32 stride) {
  const u32 bytes = bitsOf(type) / 8;
  for (u32 r = 0; r < rows; ++r)
    for (u32 c = 0; c < columns; ++c) {
      const u64 bits = encode(type, matrix[r * columns + c]);
      std::memcpy(&memory.at(offset + (byColumns ? c * stride + r : r * stride + c) * bytes), &bits, bytes);
    }
}

std::string fragmentType(const std::string& element) { return element == "f64" || element == "f32" ? element : "b32"; }
std::string name(bool byColumns) { return byColumns ? "col" : "row"; }

void check(const WmmaCase& c, bool columnA, bool columnB, bool columnC, const std::string& space) {
  constexpr u32 kPadding = 16;  // elements between lines: keeps the alignment that wmma asks for
  constexpr u64 kOffsetB = 4096, kOffsetC = 8192;
  const u32 strideA = (columnA ? c.m : c.k) + kPadding, strideB = (columnB ? c.k : c.n) + kPadding,
            strideC = (columnC ? c.m : c.n) + kPadding;
  const Matrix a = randomIntegers(c.m * c.k, c.a, 1), b = randomIntegers(c.k * c.n, c.b, 2), sum = randomIntegers(c.m * c.n, c.c, 3);
  std::vector<u8> input(16384);
  put(input, 0, c.a, a, c.m, c.k, columnA, strideA);
  put(input, kOffsetB, c.b, b, c.k, c.n, columnB, strideB);
  put(input, kOffsetC, c.c, sum, c.m, c.n, columnC, strideC);
  const auto declare = [](const std::string& element, const char* prefix, u32 count) {
    return ".reg ." + fragmentType(element) + " %" + prefix + "<" + std::to_string(count) + ">;\n";
  };
  const auto load = [&](const char* part, bool byColumns, const std::string& type, const char* prefix, u32 count, u64 offset, u32 stride) {
    return std::string("wmma.load.") + part + ".sync.aligned." + name(byColumns) + "." + c.shape + space + "." + type + " " +
           vectorOf(prefix, count) + ", [%in+" + std::to_string(offset) + "], " + std::to_string(stride) + ";\n";
  };
  const bool halves = c.a == "f16";
  const std::string types = halves ? c.d + "." + c.c : c.d + "." + c.a + "." + c.b + "." + c.c;
  const std::string body =
      declare(c.a, "a", c.registersA) + declare(c.b, "b", c.registersB) + declare(c.c, "c", c.registersC) +
      load("a", columnA, c.a, "a", c.registersA, 0, strideA) + load("b", columnB, c.b, "b", c.registersB, kOffsetB, strideB) +
      load("c", columnC, c.c, "c", c.registersC, kOffsetC, strideC) + "wmma.mma.sync.aligned." + name(columnA) + "." + name(columnB) + "." +
      c.shape + "." + types + " " + vectorOf("c", c.registersC) + ", " + vectorOf("a", c.registersA) + ", " + vectorOf("b", c.registersB) +
      ", " + vectorOf("c", c.registersC) + ";\nwmma.store.d.sync.aligned." + name(!columnC) + "." + c.shape + space + "." + c.d +
      " [%out], " + vectorOf("c", c.registersC) + ", " + std::to_string((columnC ? c.n : c.m) + kPadding) + ";";
  const std::vector<u8> out = run<u8>(body, input, 16384);
  const Matrix wanted = product(a, b, sum, c.m, c.n, c.k);
  const u32 bytes = bitsOf(c.d) / 8, stride = (columnC ? c.n : c.m) + kPadding;
  for (u32 r = 0; r < c.m; ++r)
    for (u32 col = 0; col < c.n; ++col) {
      u64 bits = 0;
      std::memcpy(&bits, &out.at((columnC ? r * stride + col : col * stride + r) * bytes), bytes);
      ASSERT_EQ(decode(c.d, bits), wanted[r * c.n + col]) << body << "\nrow " << r << " column " << col;
    }
}

TEST(Wmma, EveryShapeTypeAndLayout) {
  for (const WmmaCase& c : wmmaCases())
    for (u32 layouts = 0; layouts < 8; ++layouts) check(c, layouts & 1, layouts & 2, layouts & 4, layouts & 1 ? "" : ".global");
}

// Row r of matrix j holds elements 64j + 8r … 64j + 8r + 7; thread t gets (manual) row t/4, elements 2(t%4) and 2(t%4)+1.
TEST(Ldmatrix, DealsRowsToFragments) {
  for (const u32 count : {1u, 2u, 4u}) {
    for (const bool transposed : {false, true}) {
      std::vector<u16> input(256);
      for (u32 i = 0; i < 256; ++i) input[i] = static_cast<u16>(3 * i + 1);
      std::string body =
          ".reg .b32 %v<4>, %s;\n.reg .b64 %x, %y;\nmul.wide.u32 %addr, %tid, 16;\nadd.u64 %addr, %addr, %in;\n"
          "ld.global.v2.b64 {%x, %y}, [%addr];\nmov.u32 %s, tile;\nmad.lo.u32 %s, %tid, 16, %s;\nst.shared.v2.b64 [%s], {%x, %y};\n"
          "bar.sync 0;\nldmatrix.sync.aligned.m8n8.x" +
          std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 " + vectorOf("v", count) +
          ", [%s];\nmul.wide.u32 %addr, %tid, " + std::to_string(4 * count) + ";\nadd.u64 %addr, %addr, %out;\n";
      for (u32 j = 0; j < count; ++j) body += "st.global.b32 [%addr+" + std::to_string(4 * j) + "], %v" + std::to_string(j) + ";\n";
      LaunchSetup setup;
      setup.module = ".shared .align 16 .b8 tile[512];";
      const std::vector<u16> out = run<u16>(body, input, 64 * count, setup);
      for (u32 lane = 0; lane < 32; ++lane)
        for (u32 j = 0; j < count; ++j)
          for (u32 e = 0; e < 2; ++e) {
            const u32 row = lane / 4, column = 2 * (lane % 4) + e;
            const u32 wanted = transposed ? 64 * j + 8 * column + row : 64 * j + 8 * row + column;
            EXPECT_EQ(out[(lane * count + j) * 2 + e], input[wanted]) << "x" << count << " lane " << lane;
          }
    }
  }
}

TEST(Stmatrix, StoresWhatLdmatrixLoads) {
  for (const u32 count : {1u, 2u, 4u}) {
    for (const bool transposed : {false, true}) {
      std::vector<u16> input(64 * count);
      for (u32 i = 0; i < input.size(); ++i) input[i] = static_cast<u16>(7 * i + 5);
      std::string body = ".reg .b32 %v<4>, %s;\n.reg .b64 %x, %y;\nmul.wide.u32 %addr, %tid, " + std::to_string(4 * count) +
                         ";\nadd.u64 %addr, %addr, %in;\n";
      for (u32 j = 0; j < count; ++j) body += "ld.global.b32 %v" + std::to_string(j) + ", [%addr+" + std::to_string(4 * j) + "];\n";
      body += "mov.u32 %s, tile;\nmad.lo.u32 %s, %tid, 16, %s;\nstmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
              (transposed ? ".trans" : "") + ".shared.b16 [%s], " + vectorOf("v", count) +
              ";\nbar.sync 0;\nld.shared.v2.b64 {%x, %y}, [%s];\nmul.wide.u32 %addr, %tid, 16;\nadd.u64 %addr, %addr, %out;\n"
              "st.global.v2.b64 [%addr], {%x, %y};";
      LaunchSetup setup;
      setup.module = ".shared .align 16 .b8 tile[512];";
      const std::vector<u16> out = run<u16>(body, input, 256, setup);
      for (u32 j = 0; j < 4; ++j)
        for (u32 row = 0; row < 8; ++row)
          for (u32 column = 0; column < 8; ++column) {
            const u32 r = transposed ? column : row, c = transposed ? row : column;
            const u32 wanted = j < count ? input[((4 * r + c / 2) * count + j) * 2 + c % 2] : 0;
            EXPECT_EQ(out[64 * j + 8 * row + column], wanted) << "x" << count << " matrix " << j << " row " << row;
          }
    }
  }
}

TEST(Movmatrix, Transposes) {
  std::vector<u16> input(64);
  for (u32 i = 0; i < 64; ++i) input[i] = static_cast<u16>(i);
  const std::string body =
      ".reg .b32 %v, %w;\nmul.wide.u32 %addr, %tid, 4;\nadd.u64 %in, %addr, %in;\nld.global.b32 %v, [%in];\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %w, %v;\nadd.u64 %addr, %addr, %out;\nst.global.b32 [%addr], %w;";
  const std::vector<u16> out = run<u16>(body, input, 64);
  for (u32 row = 0; row < 8; ++row)
    for (u32 column = 0; column < 8; ++column) EXPECT_EQ(out[8 * row + column], 8 * column + row);
}

}  // namespace
}  // namespace warpwright::tensor
