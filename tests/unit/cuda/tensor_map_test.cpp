// Tensor maps: what cuTensorMapEncodeTiled takes, and what it refuses (CUDA driver API, "Tensor Map Object Management").
#include <cstring>
#include <functional>

#include "driver_fixture.hpp"

namespace {

// 100 x 60 floats, boxes of 32 x 8, a swizzle of 128 bytes.
struct Arguments {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  cuuint32_t rank = 2;
  void* address = reinterpret_cast<void*>(0x4000'0000);
  cuuint64_t sizes[5] = {100, 60, 1, 1, 1}, strides[4] = {400, 24'000, 24'000, 24'000};
  cuuint32_t box[5] = {32, 8, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult encode(CUtensorMap* map) const {
    return cuTensorMapEncodeTiled(map, type, rank, address, sizes, strides, box, steps, interleave, swizzle, promotion, fill);
  }
};

class TensorMapTest : public DriverTest {
 protected:
  static CUresult encode(const std::function<void(Arguments&)>& change) {
    Arguments arguments;
    change(arguments);
    CUtensorMap map;
    return arguments.encode(&map);
  }
  static void refuses(const std::function<void(Arguments&)>& change) { EXPECT_EQ(encode(change), CUDA_ERROR_INVALID_VALUE); }
  static void takes(const std::function<void(Arguments&)>& change) { EXPECT_EQ(encode(change), CUDA_SUCCESS); }
};

TEST_F(TensorMapTest, TakesWhatTheRulesAllow) {
  takes([](Arguments&) {});
  takes([](Arguments& a) { a.sizes[1] = cuuint64_t{1} << 32; });
  takes([](Arguments& a) { a.box[1] = 256; });
  takes([](Arguments& a) { a.steps[1] = 8; });
  takes([](Arguments& a) { a.steps[0] = 0; });
  takes([](Arguments& a) { a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; });
  takes([](Arguments& a) { a.rank = 5; });
  takes([](Arguments& a) {
    a.rank = 3;
    a.interleave = CU_TENSOR_MAP_INTERLEAVE_16B;
  });
}

TEST_F(TensorMapTest, RefusesWhatTheyForbid) {
  refuses([](Arguments& a) { a.rank = 0; });
  refuses([](Arguments& a) { a.rank = 6; });
  refuses([](Arguments& a) { a.address = reinterpret_cast<void*>(0x4000'0008); });
  refuses([](Arguments& a) { a.sizes[1] = 0; });
  refuses([](Arguments& a) { a.sizes[0] = (cuuint64_t{1} << 32) + 1; });
  refuses([](Arguments& a) { a.strides[0] = 408; });
  refuses([](Arguments& a) { a.strides[0] = cuuint64_t{1} << 40; });
  refuses([](Arguments& a) { a.box[1] = 0; });
  refuses([](Arguments& a) { a.box[1] = 257; });
  refuses([](Arguments& a) { a.box[0] = 31; });
  refuses([](Arguments& a) { a.box[0] = 64; });
  refuses([](Arguments& a) { a.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; });
  refuses([](Arguments& a) { a.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B; });
  refuses([](Arguments& a) { a.steps[1] = 0; });
  refuses([](Arguments& a) { a.steps[1] = 9; });
  refuses([](Arguments& a) { a.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B; });
  refuses([](Arguments& a) { a.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; });
  refuses([](Arguments& a) {
    a.type = CU_TENSOR_MAP_DATA_TYPE_INT32;
    a.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  });
  refuses([](Arguments& a) {
    a.rank = 3;
    a.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
  });
}

TEST_F(TensorMapTest, ChecksItsPointers) {
  const Arguments a;
  alignas(128) char bytes[256];
  CUtensorMap* const map = reinterpret_cast<CUtensorMap*>(bytes);
  EXPECT_EQ(a.encode(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(a.encode(reinterpret_cast<CUtensorMap*>(bytes + 32)), CUDA_ERROR_INVALID_VALUE) << "maps lie at multiples of 64";
  EXPECT_EQ(a.encode(reinterpret_cast<CUtensorMap*>(bytes + 64)), CUDA_SUCCESS);
  EXPECT_EQ(
      cuTensorMapEncodeTiled(map, a.type, 2, a.address, nullptr, a.strides, a.box, a.steps, a.interleave, a.swizzle, a.promotion, a.fill),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      cuTensorMapEncodeTiled(map, a.type, 2, a.address, a.sizes, nullptr, a.box, a.steps, a.interleave, a.swizzle, a.promotion, a.fill),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      cuTensorMapEncodeTiled(map, a.type, 1, a.address, a.sizes, nullptr, a.box, a.steps, a.interleave, a.swizzle, a.promotion, a.fill),
      CUDA_SUCCESS)
      << "one dimension has no strides";
}

TEST_F(TensorMapTest, ReplacesTheAddressAlone) {
  Arguments arguments;
  CUtensorMap map, other;
  ASSERT_EQ(arguments.encode(&map), CUDA_SUCCESS);
  arguments.address = reinterpret_cast<void*>(0x5000'0000);
  ASSERT_EQ(arguments.encode(&other), CUDA_SUCCESS);
  EXPECT_NE(std::memcmp(&map, &other, sizeof map), 0);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, arguments.address), CUDA_SUCCESS);
  EXPECT_EQ(std::memcmp(&map, &other, sizeof map), 0);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, reinterpret_cast<void*>(0x5000'0004)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTensorMapReplaceAddress(nullptr, arguments.address), CUDA_ERROR_INVALID_VALUE);
  CUtensorMap none{};
  EXPECT_EQ(cuTensorMapReplaceAddress(&none, arguments.address), CUDA_ERROR_INVALID_VALUE) << "nobody has made it";
}

}  // namespace
