#include "spe/programs/vector_matrix.hpp"

#include <cmath>

#include "spe/multi_view.hpp"
#include "spe/programs/loops.hpp"
#include "spe/programs/sorter.hpp"
#include "spe/programs/transfers.hpp"

namespace warpwright::spe::vector_matrix {
namespace {

struct Row {
  float x0, x1, x2;
};
// By columns: b0, b3 and b6 make the first element of the product.
struct Matrix {
  float b0, b3, b6, b1, b4, b7, b2, b5, b8;
};
constexpr std::array kFieldsOfRow{&Row::x0, &Row::x1, &Row::x2};
constexpr std::array kFieldsOfMatrix{&Matrix::b0, &Matrix::b3, &Matrix::b6, &Matrix::b1, &Matrix::b4,
                                     &Matrix::b7, &Matrix::b2, &Matrix::b5, &Matrix::b8};

constexpr u32 kRowWords = sizeof(Row) / 4, kMatrixWords = sizeof(Matrix) / 4;
constexpr u32 kA = 0x2000, kB = kA + kCount * sizeof(Row), kC = kB + kCount * sizeof(Matrix);
constexpr s32 kBatch = 4;

float elementOfA(u32 i, u32 field) { return 0.5f * static_cast<float>((3 * i + field) % 17) - 4.0f; }
float elementOfB(u32 i, u32 field) { return 0.25f * static_cast<float>((5 * i + 2 * field) % 31) - 3.0f; }

// Main memory: rows, matrices, products, as structures.
constexpr u32 kMainA = 0, kMainB = kCount * sizeof(Row), kMainC = kMainB + kCount * sizeof(Matrix);

std::vector<u32> mainMemory() {
  std::vector<u32> words;
  for (u32 i = 0; i < kCount; ++i)
    for (u32 field = 0; field < kRowWords; ++field) words.push_back(std::bit_cast<u32>(elementOfA(i, field)));
  for (u32 i = 0; i < kCount; ++i)
    for (u32 field = 0; field < kMatrixWords; ++field) words.push_back(std::bit_cast<u32>(elementOfB(i, field)));
  words.resize(words.size() + kCount * kRowWords);
  return words;
}

Family layoutFor(const Spu& spu, u32 words) { return spu.machine().sams ? Family(familyOf(words)) : std::nullopt; }

constexpr u32 kTag = 1;

void get(Spu& spu, u32 local, u32 main, u32 count, u32 words) {
  inParts(count * words * 4, [&](u32 offset, u32 bytes) { spu.mfcGet(local + offset, main + offset, bytes, kTag, layoutFor(spu, words)); });
}

using Fields = std::vector<Quad>;

// Three elements of four products.
Fields multiply(Spu& spu, const Fields& a, const Fields& b) {
  Fields c;
  for (std::size_t column = 0; column < 3; ++column) {
    Quad sum = spu.fm(a[0], b[3 * column]);
    for (std::size_t i = 1; i < 3; ++i) sum = spu.fma(a[i], b[3 * column + i], sum);
    c.push_back(sum);
  }
  return c;
}

// ---- the original: structures come in quads across their borders, and shuffles sort them

Fields loadSorted(Spu& spu, Sorter& sorter, const Quad& base, u32 words) {
  Fields quads, fields;
  for (u32 quad = 0; quad < words; ++quad) quads.push_back(spu.lqd(base, static_cast<s32>(16 * quad)));
  for (u32 field = 0; field < words; ++field)
    fields.push_back(sorter.gather(quads, {field, field + words, field + 2 * words, field + 3 * words}));
  return fields;
}

// Word i of what is stored is element i % 3 of product i / 3: the first and the last of a quad are the same element of two products.
void storeSorted(Spu& spu, Sorter& sorter, const Fields& c, const Quad& base) {
  for (u32 quad = 0; quad < kRowWords; ++quad) {
    const auto fieldOf = [&](u32 i) -> const Quad& { return c[(4 * quad + i) % 3]; };
    const auto laneOf = [&](u32 i) { return (4 * quad + i) / 3; };
    const Quad three = sorter.shuffle(fieldOf(0), fieldOf(1), {laneOf(0), 4 + laneOf(1), 0, laneOf(3)});
    spu.stqd(sorter.shuffle(three, fieldOf(2), {0, 1, 4 + laneOf(2), 3}), base, static_cast<s32>(16 * quad));
  }
}

void runOriginal(Spu& spu) {
  Sorter sorter(spu);
  Quad a = spu.ila(kA), b = spu.ila(kB), c = spu.ila(kC);
  repeat(spu, kIterations, [&] {
    const Fields rows = loadSorted(spu, sorter, a, kRowWords);
    const Fields matrices = loadSorted(spu, sorter, b, kMatrixWords);
    storeSorted(spu, sorter, multiply(spu, rows, matrices), c);
    a = spu.ai(a, kBatch * static_cast<s32>(sizeof(Row)));
    b = spu.ai(b, kBatch * static_cast<s32>(sizeof(Matrix)));
    c = spu.ai(c, kBatch * static_cast<s32>(sizeof(Row)));
  });
}

// ---- SAMS: views of the fields

void runWithViews(Spu& spu) {
  View<Row> a(spu, kA), c(spu, kC);
  View<Matrix> b(spu, kB);
  repeat(spu, kIterations, [&] {
    Fields rows, matrices;
    a.begin();
    for (const auto field : kFieldsOfRow) rows.push_back(a.field(field));
    b.begin();
    for (const auto field : kFieldsOfMatrix) matrices.push_back(b.field(field));
    const Fields products = multiply(spu, rows, matrices);
    c.begin();
    for (std::size_t i = 0; i < kFieldsOfRow.size(); ++i) c.setField(kFieldsOfRow[i], products[i]);
    a.advance(kBatch);
    b.advance(kBatch);
    c.advance(kBatch);
  });
}

}  // namespace

Result run(Spu& spu) {
  std::vector<u32> memory = mainMemory();
  spu.attach(memory);
  get(spu, kA, kMainA, kCount, kRowWords);
  get(spu, kB, kMainB, kCount, kMatrixWords);
  spu.mfcWait(1u << kTag);
  (spu.machine().sams ? runWithViews : runOriginal)(spu);
  inParts(kCount * sizeof(Row),
          [&](u32 offset, u32 bytes) { spu.mfcPut(kC + offset, kMainC + offset, bytes, kTag, layoutFor(spu, kRowWords)); });
  spu.mfcWait(1u << kTag);
  return {memory.begin() + kMainC / 4, memory.end()};
}

Result expected() {
  Result result;
  for (u32 i = 0; i < kCount; ++i)
    for (u32 column = 0; column < 3; ++column) {
      float sum = elementOfA(i, 0) * elementOfB(i, 3 * column);
      for (u32 k = 1; k < 3; ++k) sum = std::fma(elementOfA(i, k), elementOfB(i, 3 * column + k), sum);
      result.push_back(std::bit_cast<u32>(sum));
    }
  return result;
}

}  // namespace warpwright::spe::vector_matrix
