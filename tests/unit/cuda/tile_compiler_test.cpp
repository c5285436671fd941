// PTX in the style of compilers of tiled kernels (Triton's among them): what they write that hand-written PTX and nvcc's rarely have,
// launched by the driver API as their runtimes do. Predicated vector loads with values for the lanes that are left out, cache hints, one
// block of dynamic shared memory for everything, reductions by butterflies, asynchronous copies with a size in a register, debug sections.
#include <bit>
#include <cmath>
#include <vector>

#include "driver_fixture.hpp"

namespace {

// A row of a softmax: 128 threads take four numbers each, of which the first `count` are there. The result is bf16.
constexpr char kSoftmax[] = R"(
.version 8.4
.target sm_80
.address_size 64

	// .globl	softmax_kernel
.extern .shared .align 16 .b8 global_smem[];

.visible .entry softmax_kernel(
	.param .u64 .ptr .global .align 1 softmax_kernel_param_0,
	.param .u64 .ptr .global .align 1 softmax_kernel_param_1,
	.param .u32 softmax_kernel_param_2,
	.param .u32 softmax_kernel_param_3,
	.param .u64 .ptr .global .align 1 softmax_kernel_param_4
)
.reqntid 128, 1, 1
{
	.reg .pred 	%p<8>;
	.reg .b16 	%rs<8>;
	.reg .b32 	%r<64>;
	.reg .f32 	%f<64>;
	.reg .b64 	%rd<16>;
	.loc	1 6 0
$L__func_begin0:
	.loc	1 6 0
	ld.param.u64 	%rd1, [softmax_kernel_param_0];
	ld.param.u64 	%rd2, [softmax_kernel_param_1];
	ld.param.u32 	%r1, [softmax_kernel_param_2];
	ld.param.u32 	%r2, [softmax_kernel_param_3];
$L__tmp0:
	.loc	1 10 28
	// begin inline asm
	mov.u32 %r3, %ctaid.x;
	// end inline asm
	mul.lo.s32 	%r4, %r3, %r1;
	mov.u32 	%r5, %tid.x;
	shl.b32 	%r6, %r5, 2;
	setp.lt.s32 	%p1, %r6, %r2;
	add.s32 	%r7, %r4, %r6;
	mul.wide.s32 	%rd3, %r7, 4;
	add.s64 	%rd4, %rd1, %rd3;
	mov.b32 	%r8, 0fFF800000;
	// begin inline asm
	mov.u64 %rd5, 0x0;
	createpolicy.fractional.L2::evict_last.b64 %rd5, 1.0;
	// end inline asm
	// begin inline asm
	mov.u32 %r9, 0x0;
	mov.u32 %r10, 0x0;
	mov.u32 %r11, 0x0;
	mov.u32 %r12, 0x0;
	@%p1 ld.global.L1::evict_last.L2::cache_hint.v4.b32 { %r9, %r10, %r11, %r12 }, [ %rd4 + 0 ], %rd5;
	@!%p1 mov.u32 %r9, %r8;
	@!%p1 mov.u32 %r10, %r8;
	@!%p1 mov.u32 %r11, %r8;
	@!%p1 mov.u32 %r12, %r8;
	// end inline asm
	mov.b32 	%f1, %r9;
	mov.b32 	%f2, %r10;
	mov.b32 	%f3, %r11;
	mov.b32 	%f4, %r12;
	max.f32 	%f5, %f1, %f2;
	max.f32 	%f6, %f5, %f3;
	max.f32 	%f7, %f6, %f4;
	mov.b32 	%r13, %f7;
	shfl.sync.bfly.b32	%r14, %r13, 16, 31, -1;
	mov.b32 	%f8, %r14;
	max.f32 	%f9, %f7, %f8;
	mov.b32 	%r15, %f9;
	shfl.sync.bfly.b32	%r16, %r15, 8, 31, -1;
	mov.b32 	%f10, %r16;
	max.f32 	%f11, %f9, %f10;
	mov.b32 	%r17, %f11;
	shfl.sync.bfly.b32	%r18, %r17, 4, 31, -1;
	mov.b32 	%f12, %r18;
	max.f32 	%f13, %f11, %f12;
	mov.b32 	%r19, %f13;
	shfl.sync.bfly.b32	%r20, %r19, 2, 31, -1;
	mov.b32 	%f14, %r20;
	max.f32 	%f15, %f13, %f14;
	mov.b32 	%r21, %f15;
	shfl.sync.bfly.b32	%r22, %r21, 1, 31, -1;
	mov.b32 	%f16, %r22;
	max.f32 	%f17, %f15, %f16;
	and.b32  	%r23, %r5, 31;
	setp.eq.s32 	%p2, %r23, 0;
	bfe.u32 	%r24, %r5, 5, 2;
	shl.b32 	%r25, %r24, 2;
	mov.u32 	%r26, global_smem;
	add.s32 	%r27, %r26, %r25;
	mov.b32 	%r28, %f17;
	// begin inline asm
	@%p2 st.shared.b32 [ %r27 + 0 ], { %r28 };
	// end inline asm
	bar.sync 	0;
	setp.lt.s32 	%p3, %r5, 4;
	shl.b32 	%r29, %r5, 2;
	add.s32 	%r30, %r26, %r29;
	// begin inline asm
	@%p3 ld.shared.b32 { %r31 }, [ %r30 + 0 ];
	// end inline asm
	mov.b32 	%f18, %r31;
	shfl.sync.bfly.b32	%r32, %r31, 2, 31, -1;
	mov.b32 	%f19, %r32;
	max.f32 	%f20, %f18, %f19;
	mov.b32 	%r33, %f20;
	shfl.sync.bfly.b32	%r34, %r33, 1, 31, -1;
	mov.b32 	%f21, %r34;
	max.f32 	%f22, %f20, %f21;
	setp.eq.s32 	%p4, %r5, 0;
	mov.b32 	%r35, %f22;
	// begin inline asm
	@%p4 st.shared.b32 [ %r30 + 0 ], %r35;
	// end inline asm
	bar.sync 	0;
	ld.shared.f32 	%f23, [global_smem];
	sub.f32 	%f24, %f1, %f23;
	sub.f32 	%f25, %f2, %f23;
	sub.f32 	%f26, %f3, %f23;
	sub.f32 	%f27, %f4, %f23;
	mul.f32 	%f28, %f24, 0f3FB8AA3B;
	ex2.approx.f32 	%f29, %f28;
	mul.f32 	%f30, %f25, 0f3FB8AA3B;
	ex2.approx.f32 	%f31, %f30;
	mul.f32 	%f32, %f26, 0f3FB8AA3B;
	ex2.approx.f32 	%f33, %f32;
	mul.f32 	%f34, %f27, 0f3FB8AA3B;
	ex2.approx.f32 	%f35, %f34;
	add.f32 	%f36, %f29, %f31;
	add.f32 	%f37, %f36, %f33;
	add.f32 	%f38, %f37, %f35;
	bar.sync 	0;
	mov.b32 	%r36, %f38;
	shfl.sync.bfly.b32	%r37, %r36, 16, 31, -1;
	mov.b32 	%f39, %r37;
	add.f32 	%f40, %f38, %f39;
	mov.b32 	%r38, %f40;
	shfl.sync.bfly.b32	%r39, %r38, 8, 31, -1;
	mov.b32 	%f41, %r39;
	add.f32 	%f42, %f40, %f41;
	mov.b32 	%r40, %f42;
	shfl.sync.bfly.b32	%r41, %r40, 4, 31, -1;
	mov.b32 	%f43, %r41;
	add.f32 	%f44, %f42, %f43;
	mov.b32 	%r42, %f44;
	shfl.sync.bfly.b32	%r43, %r42, 2, 31, -1;
	mov.b32 	%f45, %r43;
	add.f32 	%f46, %f44, %f45;
	mov.b32 	%r44, %f46;
	shfl.sync.bfly.b32	%r45, %r44, 1, 31, -1;
	mov.b32 	%f47, %r45;
	add.f32 	%f48, %f46, %f47;
	mov.b32 	%r46, %f48;
	@%p2 st.shared.b32 [ %r27 + 0 ], %r46;
	bar.sync 	0;
	ld.shared.v4.b32 	{%r47, %r48, %r49, %r50}, [global_smem];
	mov.b32 	%f49, %r47;
	mov.b32 	%f50, %r48;
	mov.b32 	%f51, %r49;
	mov.b32 	%f52, %r50;
	add.f32 	%f53, %f49, %f50;
	add.f32 	%f54, %f51, %f52;
	add.f32 	%f55, %f53, %f54;
	div.full.f32 %f56, %f29, %f55;
	div.full.f32 %f57, %f31, %f55;
	div.full.f32 %f58, %f33, %f55;
	div.full.f32 %f59, %f35, %f55;
	cvt.rn.bf16x2.f32 	%r51, %f57, %f56;
	cvt.rn.bf16x2.f32 	%r52, %f59, %f58;
	mul.wide.s32 	%rd6, %r7, 2;
	add.s64 	%rd7, %rd2, %rd6;
	// begin inline asm
	@%p1 st.global.v2.b32 [ %rd7 + 0 ], { %r51, %r52 };
	// end inline asm
	ret;
$L__tmp1:
$L__func_end0:
}
	.file	1 "softmax.py"
	.section	.debug_abbrev
	{
.b8 1
.b8 17
.b8 0
.b8 0
	}
	.section	.debug_info
	{
.b32 $L__func_begin0
.b8 1
	}
	.section	.debug_macinfo	{	}
)";

// c = a b for a of 16 by 16 and b of 16 by 8 in bf16, by one warp: both come by asynchronous copies of 16 bytes, a fragment by fragment
// through ldmatrix. The rows of a from `rows` on are left out, and read as zeros: their copies have size 0.
constexpr char kDot[] = R"(
.version 8.4
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 global_smem[];
.visible .entry dot_kernel(
	.param .u64 dot_kernel_param_0,
	.param .u64 dot_kernel_param_1,
	.param .u64 dot_kernel_param_2,
	.param .u32 dot_kernel_param_3
)
.maxntid 32, 1, 1
{
	.reg .pred 	%p<4>;
	.reg .b32 	%r<40>;
	.reg .f32 	%f<8>;
	.reg .b64 	%rd<12>;
	ld.param.u64 	%rd1, [dot_kernel_param_0];
	ld.param.u64 	%rd2, [dot_kernel_param_1];
	ld.param.u64 	%rd3, [dot_kernel_param_2];
	ld.param.u32 	%r1, [dot_kernel_param_3];
	mov.u32 	%r2, %tid.x;
	shr.u32 	%r3, %r2, 1;
	setp.lt.s32 	%p1, %r3, %r1;
	shl.b32 	%r4, %r2, 4;
	mul.wide.u32 	%rd4, %r4, 1;
	add.s64 	%rd5, %rd1, %rd4;
	mov.u32 	%r5, global_smem;
	add.s32 	%r6, %r5, %r4;
	selp.b32 	%r7, 16, 0, %p1;
	// begin inline asm
	cp.async.cg.shared.global [ %r6 + 0 ], [ %rd5 + 0 ], 0x10, %r7;
	// end inline asm
	setp.lt.u32 	%p2, %r2, 16;
	add.s64 	%rd6, %rd2, %rd4;
	add.s32 	%r8, %r6, 512;
	// begin inline asm
	@%p2 cp.async.cg.shared.global [ %r8 + 0 ], [ %rd6 + 0 ], 0x10, 0x10;
	// end inline asm
	cp.async.commit_group ;
	cp.async.wait_group 0x0;
	bar.sync 	0;
	and.b32  	%r9, %r2, 15;
	shl.b32 	%r10, %r9, 5;
	and.b32  	%r11, %r2, 16;
	add.s32 	%r12, %r5, %r10;
	add.s32 	%r13, %r12, %r11;
	// begin inline asm
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 { %r14, %r15, %r16, %r17 }, [ %r13 + 0 ];
	// end inline asm
	shl.b32 	%r18, %r9, 4;
	add.s32 	%r19, %r5, %r18;
	add.s32 	%r20, %r19, 512;
	// begin inline asm
	ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 { %r21, %r22 }, [ %r20 + 0 ];
	// end inline asm
	mov.f32 	%f1, 0f00000000;
	mov.f32 	%f2, 0f00000000;
	mov.f32 	%f3, 0f00000000;
	mov.f32 	%f4, 0f00000000;
	// begin inline asm
	mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { %f1, %f2, %f3, %f4 }, { %r14, %r15, %r16, %r17 }, { %r21, %r22 }, { %f1, %f2, %f3, %f4 };
	// end inline asm
	shr.u32 	%r23, %r2, 2;
	and.b32  	%r24, %r2, 3;
	shl.b32 	%r25, %r23, 5;
	shl.b32 	%r26, %r24, 3;
	or.b32  	%r27, %r25, %r26;
	cvt.u64.u32 	%rd7, %r27;
	add.s64 	%rd8, %rd3, %rd7;
	mov.b32 	%r28, %f1;
	mov.b32 	%r29, %f2;
	mov.b32 	%r30, %f3;
	mov.b32 	%r31, %f4;
	setp.ne.b32 	%p3, %r2, 999;
	// begin inline asm
	@%p3 st.global.v2.b32 [ %rd8 + 0 ], { %r28, %r29 };
	// end inline asm
	// begin inline asm
	@%p3 st.global.v2.b32 [ %rd8 + 256 ], { %r30, %r31 };
	// end inline asm
	ret;
}
)";

class TileCompilerTest : public DriverTest {
 protected:
  CUfunction load(const char* ptx, const char* name) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_EQ(cuModuleLoadData(&module, ptx), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
    return function;
  }
  template <typename T>
  CUdeviceptr upload(const std::vector<T>& values) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cuMemAlloc(&memory, values.size() * sizeof(T)), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoD(memory, values.data(), values.size() * sizeof(T)), CUDA_SUCCESS);
    return memory;
  }
  template <typename T>
  std::vector<T> download(CUdeviceptr memory, size_t count) {
    std::vector<T> result(count);
    EXPECT_EQ(cuMemcpyDtoH(result.data(), memory, count * sizeof(T)), CUDA_SUCCESS);
    return result;
  }
};

float fromBf16(unsigned short bits) { return std::bit_cast<float>(static_cast<unsigned>(bits) << 16); }
unsigned short toBf16(float exact) { return static_cast<unsigned short>(std::bit_cast<unsigned>(exact) >> 16); }

TEST_F(TileCompilerTest, RowsOfASoftmax) {
  constexpr int kRows = 3, kStride = 512;
  int stride = kStride, count = 300;
  std::vector<float> numbers(kRows * kStride);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 37) % 101) / 25.0f;
  CUdeviceptr in = upload(numbers), out = upload(std::vector<unsigned short>(numbers.size(), 0x7fff)), scratch = 0;
  void* arguments[] = {&in, &out, &stride, &count, &scratch};
  ASSERT_EQ(cuLaunchKernel(load(kSoftmax, "softmax_kernel"), kRows, 1, 1, 128, 1, 1, 16, nullptr, arguments, nullptr), CUDA_SUCCESS);
  const auto found = download<unsigned short>(out, numbers.size());
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += std::exp(numbers[row * kStride + i]);
    for (int i = 0; i < count; ++i) {
      const double expected = std::exp(numbers[row * kStride + i]) / sum;
      ASSERT_NEAR(fromBf16(found[row * kStride + i]), expected, expected / 128) << row << ' ' << i;
    }
    EXPECT_EQ(found[row * kStride + count], 0x7fff) << "what is left out is not written";
  }
}

TEST_F(TileCompilerTest, TheSizeOfABlockIsRequired) {
  CUdeviceptr memory = upload(std::vector<float>(512));
  int stride = 512, count = 4;
  void* arguments[] = {&memory, &memory, &stride, &count, &memory};
  EXPECT_NE(cuLaunchKernel(load(kSoftmax, "softmax_kernel"), 1, 1, 1, 64, 1, 1, 16, nullptr, arguments, nullptr), CUDA_SUCCESS);
}

TEST_F(TileCompilerTest, ADotOfTiles) {
  int rows = 13;
  std::vector<unsigned short> a(16 * 16), b(16 * 8);
  for (size_t i = 0; i < a.size(); ++i) a[i] = toBf16(static_cast<float>(static_cast<int>(i * 7 % 15) - 7));
  for (size_t i = 0; i < b.size(); ++i) b[i] = toBf16(static_cast<float>(static_cast<int>(i * 5 % 11) - 5));
  CUdeviceptr da = upload(a), db = upload(b), dc = upload(std::vector<float>(16 * 8));
  void* arguments[] = {&da, &db, &dc, &rows};
  ASSERT_EQ(cuLaunchKernel(load(kDot, "dot_kernel"), 1, 1, 1, 32, 1, 1, 1024, nullptr, arguments, nullptr), CUDA_SUCCESS);
  const auto found = download<float>(dc, 16 * 8);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      float expected = 0;
      for (int k = 0; k < 16; ++k) expected += i < rows ? fromBf16(a[i * 16 + k]) * fromBf16(b[k * 8 + j]) : 0;
      ASSERT_EQ(found[i * 8 + j], expected) << i << ' ' << j;
    }
  }
}

}  // namespace
