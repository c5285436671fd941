// Bulk copies of boxes of tensors (PTX ISA, "cp.async.bulk.tensor"), and tensor maps that kernels change ("tensormap.replace").
#include <numeric>

#include "bulk_kernels.hpp"
#include "exec/tensor_tile.hpp"
#include "isa/tensor_map.hpp"

namespace warpwright::tensor {
namespace {

using isa::TensorMap;

constexpr u32 kMapWords = isa::kTensorMapBytes / 4;

// %in: the map; behind it the data, where the kernel makes it lead to.
const std::string kMapPrologue = kBulkPrologue +
                                 ".reg .b64 %data;\nadd.u64 %data, %in, 128;\n"
                                 "@%first tensormap.replace.tile.global_address.global.b1024.b64 [%in], %data;\n"
                                 "fence.proxy.tensormap::generic.release.gpu;\nbar.sync 0;\n"
                                 "fence.proxy.tensormap::generic.acquire.gpu [%in], 128;\n";
// The tile, word by word: 16 of each thread.
const std::string kTileOut = "mad.lo.u32 %own, %tid, 64, %s;\nmul.wide.u32 %to, %tid, 64;\nadd.u64 %to, %to, %out;\n" + [] {
  std::string text;
  for (u32 i = 0; i < 64; i += 16) {
    const std::string at = std::to_string(i);
    text += "ld.shared.v4.b32 {%v0, %v1, %v2, %v3}, [%own+" + at + "];\nst.global.v4.b32 [%to+" + at + "], {%v0, %v1, %v2, %v3};\n";
  }
  return text;
}();

std::string tensorLoad(u32 dimensions, const std::string& coordinates, u32 bytes) {
  return "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], " + std::to_string(bytes) + ";\n@%first cp.async.bulk.tensor." +
         std::to_string(dimensions) + "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%in, {" + coordinates +
         "}], [%b];\n" + kAwaitPhase;
}

TensorMap wordMap(std::vector<u32> sizes, std::vector<u32> box) {
  TensorMap map;
  map.rank = static_cast<u8>(sizes.size() - 1);
  map.element = TensorMap::Element::u32;
  map.elementStride.fill(1);
  u64 stride = sizes[0] * 4;
  for (u32 i = 0; i < sizes.size(); ++i) {
    map.globalDim[i] = sizes[i];
    map.boxDim[i] = box[i];
    if (i > 0) map.globalStride[i - 1] = std::exchange(stride, stride * sizes[i]);
  }
  return map;
}

// The map, then 1, 2, 3 …
std::vector<u32> withData(const TensorMap& map, u32 words) {
  std::vector<u32> values(kMapWords + words);
  std::memcpy(values.data(), &map, sizeof map);
  std::iota(values.begin() + kMapWords, values.end(), 1u);
  return values;
}

// Where word (x, y) of a tile lies whose rows have `row` words.
u32 placeOfWord(TensorMap::Swizzle swizzle, u32 x, u32 y, u32 row) {
  return static_cast<u32>(exec::swizzled(swizzle, (y * row + x) * 4) / 4);
}

// 40 x 12 words, and a box that juts out on the left and below.
TEST(TensorLoad, FillsWhatLiesOutside) {
  using Swizzle = TensorMap::Swizzle;
  constexpr u32 kRows = 8;
  for (const auto& [swizzle, row] :
       {std::pair{Swizzle::none, 32u}, {Swizzle::bytes32, 8u}, {Swizzle::bytes64, 16u}, {Swizzle::bytes128, 32u}}) {
    TensorMap map = wordMap({40, 12}, {row, kRows});
    map.swizzle = swizzle;
    const std::vector<u32> out =
        run<u32>(kMapPrologue + tensorLoad(2, "-4, 7", row * kRows * 4) + kTileOut, withData(map, 480), 512, bulkSetup());
    for (u32 y = 0; y < kRows; ++y)
      for (u32 x = 0; x < row; ++x) {
        const bool isInside = x >= 4 && y + 7 < 12;
        EXPECT_EQ(out[placeOfWord(swizzle, x, y, row)], isInside ? (y + 7) * 40 + x - 4 + 1 : 0) << x << ", " << y;
      }
  }
}

TEST(TensorLoad, TakesACoordinateADimension) {
  const TensorMap map = wordMap({8, 3, 4, 3, 2}, {4, 2, 1, 2, 1});
  const std::vector<u32> out =
      run<u32>(kMapPrologue + tensorLoad(5, "4, 1, 3, 1, 1", 64) + kTileOut, withData(map, 8 * 3 * 4 * 3 * 2), 512, bulkSetup());
  u32 at = 0;
  for (const u32 z : {1u, 2u})
    for (const u32 y : {1u, 2u})
      for (u32 x = 4; x < 8; ++x) EXPECT_EQ(out[at++], (((1 * 3 + z) * 4 + 3) * 3 + y) * 8 + x + 1);
  EXPECT_EQ(out[at], 0u);
}

TEST(TensorLoad, OfOneDimensionWithNans) {
  TensorMap map = wordMap({24}, {16});
  map.element = TensorMap::Element::f32;
  map.fill = TensorMap::Fill::nan;
  const std::vector<u32> out = run<u32>(kMapPrologue + tensorLoad(1, "20", 64) + kTileOut, withData(map, 24), 512, bulkSetup());
  for (u32 x = 0; x < 16; ++x) EXPECT_EQ(out[x], x < 4 ? 21 + x : 0x7fff'ffffu);
}

// The kernel changes what the map describes: a box of 8 x 2 of a tensor of 16 x 5, with every second row.
TEST(TensorMaps, AreReplacedMemberByMember) {
  const TensorMap map = wordMap({40, 12}, {32, 8});
  const std::string replace = "@%first tensormap.replace.tile.", of = ".global.b1024.b32 [%in], ";
  const std::string body = kMapPrologue + replace + "box_dim" + of + "0, 8;\n" + replace + "box_dim" + of + "1, 4;\n" + replace +
                           "global_dim" + of + "0, 16;\n" + replace + "global_dim" + of + "1, 5;\n" + replace + "element_stride" + of +
                           "1, 2;\n" + replace + "elemtype" + of + "3;\n" + replace + "swizzle_mode" + of + "1;\n" + replace +
                           "interleave_layout" + of + "0;\n" + replace + "fill_mode" + of + "0;\n" + replace + "rank" + of + "1;\n" +
                           replace + "global_stride.global.b1024.b64 [%in], 0, 4;\n" + tensorLoad(2, "4, 1", 64) + kTileOut;
  const std::vector<u32> out = run<u32>(body, withData(map, 480), 512, bulkSetup());
  for (u32 y = 0; y < 2; ++y)
    for (u32 x = 0; x < 8; ++x)
      EXPECT_EQ(out[placeOfWord(TensorMap::Swizzle::bytes32, x, y, 8)], (2 * y + 1) * 16 + x + 4 + 1)
          << "strides of PTX 8.0 count 16 bytes";
}

// … in shared memory, from where the warp copies it back.
TEST(TensorMaps, AreCopiedFromSharedMemory) {
  const TensorMap map = wordMap({40, 12}, {32, 8});
  const std::string body = kBulkPrologue +
                           ".reg .b64 %data;\nadd.u64 %data, %in, 128;\nmul.wide.u32 %from, %tid, 4;\nadd.u64 %from, %from, %in;\n"
                           "ld.global.b32 %v0, [%from];\nst.shared.b32 [%own], %v0;\nbar.sync 0;\n"
                           "@%first tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%s], %data;\nbar.warp.sync 0xffffffff;\n"
                           "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%in], [%s], 128;\n"
                           "fence.proxy.tensormap::generic.acquire.gpu [%in], 128;\n" +
                           tensorLoad(2, "8, 4", 1024) + kTileOut;
  const std::vector<u32> out = run<u32>(body, withData(map, 480), 512, bulkSetup());
  EXPECT_EQ(out[0], 4u * 40 + 8 + 1);
  EXPECT_EQ(out[255], 11u * 40 + 39 + 1);
}

// A tile of 1, 2, 3 … goes to the corner of the tensor of 40 x 12 words in `out`, of which a part is there.
std::vector<u32> stored(const std::string& instruction, TensorMap::Swizzle swizzle, u32 before) {
  TensorMap map = wordMap({40, 12}, {32, 8});
  map.swizzle = swizzle;
  const std::string fill = "mad.lo.u32 %own, %tid, 32, %s;\nmul.lo.u32 %v0, %tid, 8;\n" + [] {
    std::string text;
    for (u32 i = 0; i < 8; ++i) text += "add.u32 %v0, %v0, 1;\nst.shared.b32 [%own+" + std::to_string(4 * i) + "], %v0;\n";
    return text;
  }();
  std::string body = kMapPrologue + "@%first tensormap.replace.tile.global_address.global.b1024.b64 [%in], %out;\n" + fill +
                     "fence.proxy.async;\nbar.sync 0;\n@%first cp." + instruction +
                     " [%in, {20, -2}], [%s];\n@%first cp.async.bulk.commit_group;\n@%first cp.async.bulk.wait_group 0;";
  std::vector<u32> out(480, before);
  LaunchSetup setup = bulkSetup();
  const exec::LaunchResult result = launch(kernelText(body, setup.module), withData(map, 4), out, setup);
  EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  return out;
}

TEST(TensorStore, WritesWhatLiesInside) {
  for (const auto swizzle : {TensorMap::Swizzle::none, TensorMap::Swizzle::bytes128}) {
    const std::vector<u32> out = stored("async.bulk.tensor.2d.global.shared::cta.bulk_group", swizzle, 9000);
    for (u32 y = 0; y < 12; ++y)
      for (u32 x = 0; x < 40; ++x) {
        const bool isInside = x >= 20 && y < 6;
        EXPECT_EQ(out[y * 40 + x], isInside ? placeOfWord(swizzle, x - 20, y + 2, 32) + 1 : 9000) << x << ", " << y;
      }
  }
}

TEST(TensorStore, Reduces) {
  const std::vector<u32> out = stored("reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group", TensorMap::Swizzle::none, 9000);
  EXPECT_EQ(out[19], 9000u);
  EXPECT_EQ(out[20], 9000u + 2 * 32 + 1);
  EXPECT_EQ(out[5 * 40 + 39], 9000u + 7 * 32 + 19 + 1);
  EXPECT_EQ(out[6 * 40 + 39], 9000u);
}

TEST(TensorPrefetch, ChangesNothing) {
  const TensorMap map = wordMap({40, 12}, {32, 8});
  const std::vector<u32> out = run<u32>(
      kMapPrologue + "prefetch.tensormap [%in];\n@%first cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%in, {0, 0}];\n" + kTileOut,
      withData(map, 480), 512, bulkSetup());
  EXPECT_EQ(out, std::vector<u32>(512));
}

void expectMapReport(const TensorMap& map, const std::string& body, exec::LaunchStatus status, const std::string& part) {
  std::vector<u32> out(512);
  const LaunchSetup setup = bulkSetup();
  const exec::LaunchResult result = launch(kernelText(kMapPrologue + body, setup.module), withData(map, 480), out, setup);
  EXPECT_EQ(result.status, status) << result.message;
  EXPECT_NE(result.message.find(part), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("remedy"), std::string::npos) << result.message;
}

TEST(TensorMistakes, AreReported) {
  using S = exec::LaunchStatus;
  const TensorMap map = wordMap({40, 12}, {32, 8});
  const std::string load2d = tensorLoad(2, "0, 0", 1024);
  TensorMap damaged = map;
  damaged.mark = 0;
  expectMapReport(damaged, load2d, S::illegalInstruction, "overwritten");
  TensorMap wide = map;
  wide.boxDim[0] = 300;
  expectMapReport(wide, load2d, S::illegalInstruction, "300 elements");
  expectMapReport(map, tensorLoad(3, "0, 0, 0", 1024), S::illegalInstruction, "2 dimensions");
  expectMapReport(map, tensorLoad(2, "2, 0", 1024), S::illegalInstruction, "let the first coordinate be a multiple of 4");
  TensorMap interleaved = wordMap({40, 12, 1}, {32, 8, 1});
  interleaved.interleave = TensorMap::Interleave::bytes16;
  expectMapReport(interleaved, tensorLoad(3, "0, 0, 0", 1024), S::illegalInstruction, "interleaved");
  TensorMap far = map;
  far.globalDim[1] = 100;
  expectMapReport(far, tensorLoad(2, "0, 90", 1024), S::illegalAddress, "out of bounds");
  TensorMap large = map;
  large.boxDim[1] = 100;
  expectMapReport(large, load2d, S::illegalAddress, "out of bounds");
  expectMapReport(map, "add.u32 %s, %s, 16;\n" + load2d, S::misalignedAddress, "multiple of 128");
  TensorMap bytes = map;
  bytes.element = TensorMap::Element::u8;
  bytes.boxDim[0] = 32;
  expectMapReport(bytes, "@%first cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%in, {0, 0}], [%s];",
                  S::illegalInstruction, "no such reduction");
}

}  // namespace
}  // namespace warpwright::tensor
