#include "spe/programs/transpose.hpp"

#include "spe/programs/loops.hpp"
#include "spe/programs/sorter.hpp"

namespace warpwright::spe::transpose {
namespace {

constexpr u32 kMatrixBytes = 64, kRowBytes = 16;
// Ten thousand matrices do not fit into the local store: it is gone over ten times.
constexpr u32 kMatrices = 1000;
constexpr u32 kIn = 0x2000, kOut = kIn + kMatrices * kMatrixBytes;
// Matrices of a round of the loop. Chosen: the published counts leave 0.78 instructions a matrix for the loop itself.
constexpr u32 kUnrolled = 8;
static_assert(kMatrices % kUnrolled == 0);

u32 element(u32 matrix, u32 row, u32 column) { return matrix * 16 + row * 4 + column; }

Family familyFor(const Spu& spu) { return spu.machine().sams ? Family(familyOf(kRowBytes / 4)) : std::nullopt; }

void fill(Spu& spu) {
  for (u32 word = 0; word < kMatrices * 16; ++word) spu.localStore().write(kIn / 4 + word, familyFor(spu), word);
}

void withShuffles(Spu& spu, Sorter& sorter, const Quad& in, const Quad& out, s32 offset) {
  std::array<Quad, 4> rows;
  for (u32 i = 0; i < 4; ++i) rows[i] = spu.lqd(in, offset + static_cast<s32>(i * kRowBytes));
  const std::array<Quad, 4> columns = sorter.transpose(rows);
  for (u32 i = 0; i < 4; ++i) spu.stqd(columns[i], out, offset + static_cast<s32>(i * kRowBytes));
}

// The columns are the fields of the rows.
void withViews(Spu& spu, const Quad& in, const Quad& out, s32 offset) {
  std::array<Quad, 4> columns;
  for (u32 i = 0; i < 4; ++i) columns[i] = spu.lqwsd(in, offset + static_cast<s32>(4 * i));
  for (u32 i = 0; i < 4; ++i) spu.stqwsfd(columns[i], out, offset + static_cast<s32>(i * kRowBytes));
}

}  // namespace

Result run(Spu& spu) {
  fill(spu);
  Sorter sorter(spu);
  const bool views = spu.machine().sams;
  if (views) spu.setstride(kRowBytes);
  for (u32 round = 0; round < kIterations / kMatrices; ++round) {
    Quad in = spu.ila(kIn), out = spu.ila(kOut);
    repeat(spu, kMatrices / kUnrolled, [&] {
      for (u32 i = 0; i < kUnrolled; ++i) {
        const auto offset = static_cast<s32>(i * kMatrixBytes);
        if (views) withViews(spu, in, out, offset);
        if (!views) withShuffles(spu, sorter, in, out, offset);
      }
      in = spu.ai(in, kUnrolled * kMatrixBytes);
      out = spu.ai(out, kUnrolled * kMatrixBytes);
    });
  }
  Result result;
  for (u32 word = 0; word < kMatrices * 16; ++word) result.push_back(spu.localStore().read(kOut / 4 + word, familyFor(spu)));
  return result;
}

Result expected() {
  Result result;
  for (u32 matrix = 0; matrix < kMatrices; ++matrix)
    for (u32 row = 0; row < 4; ++row)
      for (u32 column = 0; column < 4; ++column) result.push_back(element(matrix, column, row));
  return result;
}

}  // namespace warpwright::spe::transpose
