// From NVVM IR to PTX, and what its kernels compute on the device.
#include "nvvm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cc/driver/process.hpp"
#include "cuda.h"
#include "nvvm/dialect.hpp"

namespace warpwright::nvvm {
namespace {

// As front ends write it.
constexpr const char* kHead =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-"
    "v128:128:128-n16:32:64\"\n";

std::string kernelOf(const std::string& name, const std::string& type, const std::string& declarations, const std::string& body) {
  return std::string(kHead) + declarations + "\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + "define void @" + name + "(" + type +
         "* %data) {\nentry:\n  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %at = getelementptr " + type + ", " + type +
         "* %data, i32 %i\n  %x = load " + type + ", " + type + "* %at\n" + body + "  store " + type + " %y, " + type +
         "* %at\n  ret void\n}\n!nvvm.annotations = !{!0}\n!0 = !{void (" + type + "*)* @" + name + ", !\"kernel\", i32 1}\n";
}

std::string fileContent(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Program {
 public:
  explicit Program(const std::string& content, const char* name = nullptr) {
    EXPECT_EQ(nvvmCreateProgram(&handle), NVVM_SUCCESS);
    EXPECT_EQ(nvvmAddModuleToProgram(handle, content.data(), content.size(), name), NVVM_SUCCESS);
  }
  ~Program() { EXPECT_EQ(nvvmDestroyProgram(&handle), NVVM_SUCCESS); }

  void addLibdevice() {
    const std::string library = fileContent(LIBDEVICE);
    ASSERT_EQ(nvvmLazyAddModuleToProgram(handle, library.data(), library.size(), nullptr), NVVM_SUCCESS);
  }
  nvvmResult compile(std::vector<const char*> options = {}) {
    return nvvmCompileProgram(handle, static_cast<int>(options.size()), options.data());
  }
  std::string log() { return text(nvvmGetProgramLogSize, nvvmGetProgramLog); }
  std::string ptx() { return text(nvvmGetCompiledResultSize, nvvmGetCompiledResult); }

  nvvmProgram handle = nullptr;

 private:
  template <class Size, class Get>
  std::string text(Size sizeOf, Get get) {
    size_t size = 0;
    EXPECT_EQ(sizeOf(handle, &size), NVVM_SUCCESS);
    std::string result(size, 'x');
    EXPECT_EQ(get(handle, result.data()), NVVM_SUCCESS);
    EXPECT_EQ(result.back(), '\0');
    result.pop_back();
    return result;
  }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Runs the kernel of that name on one block with a thread for each element.
template <class T>
std::vector<T> run(const std::string& ptx, const char* name, std::vector<T> values) {
  setenv("WARPWRIGHT_MACHINE", CUDART_TEST_MACHINE, 1);
  setenv("WARPWRIGHT_QUIET", "1", 1);
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr data = 0;
  const size_t bytes = values.size() * sizeof(T);
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoadData(&module, ptx.c_str()), CUDA_SUCCESS) << ptx;
  EXPECT_EQ(cuModuleGetFunction(&kernel, module, name), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc(&data, bytes), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyHtoD(data, values.data(), bytes), CUDA_SUCCESS);
  void* arguments[] = {&data};
  EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, static_cast<unsigned>(values.size()), 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoH(values.data(), data, bytes), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
  return values;
}

TEST(Nvvm, CompilesTextAndBitcode) {
  const std::string text = kernelOf("twice", "i32", "", "  %y = mul i32 %x, 2\n");
  Program program(text);
  ASSERT_EQ(program.compile({"-arch=compute_70", "-opt=3"}), NVVM_SUCCESS) << program.log();
  EXPECT_TRUE(contains(program.ptx(), ".target sm_70")) << program.ptx();
  EXPECT_EQ(run<int>(program.ptx(), "twice", {1, 2, 3}), (std::vector<int>{2, 4, 6}));

  const cc::TemporaryFolder folder;
  std::ofstream(folder.path() + "/twice.ll") << text;
  ASSERT_EQ(cc::capture({"llvm-as-14", folder.path() + "/twice.ll"}), "");
  Program bitcode(fileContent((folder.path() + "/twice.bc").c_str()));
  ASSERT_EQ(bitcode.compile({"-arch=compute_70"}), NVVM_SUCCESS) << bitcode.log();
  EXPECT_EQ(bitcode.ptx(), program.ptx());
}

TEST(Nvvm, TakesOptions) {
  const std::string text = kernelOf("f", "float", "declare float @llvm.nvvm.sqrt.f(float)",
                                    "  %d = fdiv float %x, 3.0\n  %m = fmul float %d, %x\n  %a = fadd float %m, %d\n"
                                    "  %y = call float @llvm.nvvm.sqrt.f(float %a)\n");
  Program program(text);
  ASSERT_EQ(program.compile(), NVVM_SUCCESS) << program.log();
  for (const char* part : {"div.rn.f32", "sqrt.rn.f32", "fma.rn.f32"}) EXPECT_TRUE(contains(program.ptx(), part)) << part;
  ASSERT_EQ(program.compile({"-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fma=0"}), NVVM_SUCCESS);
  for (const char* part : {"div.approx.ftz.f32", "sqrt.approx.ftz.f32", "mul.rn.ftz.f32"})
    EXPECT_TRUE(contains(program.ptx(), part)) << part;
  EXPECT_FALSE(contains(program.ptx(), "fma"));
  ASSERT_EQ(program.compile({"-g", "-opt=0", "-generate-line-info", "-arch=compute_90"}), NVVM_SUCCESS) << program.log();

  EXPECT_EQ(program.compile({"-prec-dif=0"}), NVVM_ERROR_INVALID_OPTION);
  EXPECT_TRUE(contains(program.log(), "did you mean -prec-div?")) << program.log();
  EXPECT_EQ(program.compile({"-ftz=2"}), NVVM_ERROR_INVALID_OPTION);
  EXPECT_EQ(program.compile({"-opt=2"}), NVVM_ERROR_INVALID_OPTION);
  EXPECT_EQ(program.compile({"-arch=sm_70"}), NVVM_ERROR_INVALID_OPTION);
  EXPECT_TRUE(contains(program.log(), "it takes compute_NN")) << program.log();
}

TEST(Nvvm, KeepsLinesAlone) {
  std::string text = kernelOf("f", "i32", "", "  %y = mul i32 %x, 2, !dbg !6\n");
  text.replace(text.find("@f(i32* %data) {"), 16, "@f(i32* %data) !dbg !4 {");
  text +=
      "!llvm.dbg.cu = !{!1}\n!llvm.module.flags = !{!2}\n!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, emissionKind: "
      "FullDebug)\n"
      "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n!3 = !DIFile(filename: \"app.py\", directory: \"/home\")\n"
      "!4 = distinct !DISubprogram(name: \"f\", file: !3, line: 7, type: !5, spFlags: DISPFlagDefinition, unit: !1)\n"
      "!5 = !DISubroutineType(types: !{})\n!6 = !DILocation(line: 8, column: 2, scope: !4)\n";
  Program program(text);
  ASSERT_EQ(program.compile({"-arch=compute_70"}), NVVM_SUCCESS) << program.log();
  EXPECT_FALSE(contains(program.ptx(), ".loc"));
  ASSERT_EQ(program.compile({"-arch=compute_70", "-g"}), NVVM_SUCCESS) << program.log();
  EXPECT_TRUE(contains(program.ptx(), ".loc\t1 8 2") || contains(program.ptx(), ".loc 1 8 2")) << program.ptx();
  EXPECT_FALSE(contains(program.ptx(), ".debug_info"));
  EXPECT_EQ(run<int>(program.ptx(), "f", {1, 2, 3}), (std::vector<int>{2, 4, 6}));
}

TEST(Nvvm, KnowsTheAddressSpaceOfAccesses) {
  Program program(kernelOf(
      "f", "i32", "@s = addrspace(3) global [32 x i32] undef\ndeclare i32* @llvm.nvvm.ptr.shared.to.gen.p0i32.p3i32(i32 addrspace(3)*)",
      "  %g = call i32* @llvm.nvvm.ptr.shared.to.gen.p0i32.p3i32(i32 addrspace(3)* getelementptr ([32 x i32], [32 x i32] "
      "addrspace(3)* @s, i32 0, i32 0))\n"
      "  %e = getelementptr i32, i32* %g, i32 %i\n  store volatile i32 %x, i32* %e\n  %y = load volatile i32, i32* %e\n"));
  ASSERT_EQ(program.compile({"-arch=compute_70"}), NVVM_SUCCESS) << program.log();
  for (const char* access : {"st.volatile.shared.u32", "ld.volatile.shared.u32", "ld.global.u32", "st.global.u32"})
    EXPECT_TRUE(contains(program.ptx(), access)) << access << program.ptx();
  EXPECT_EQ(run<int>(program.ptx(), "f", {1, 2, 3}), (std::vector<int>{1, 2, 3}));
}

TEST(Nvvm, SaysWhatIsWrongWithIr) {
  Program program(kernelOf("f", "i32", "", "  %y = mul i32 %x, %z\n"), "broken");
  EXPECT_EQ(nvvmVerifyProgram(program.handle, 0, nullptr), NVVM_ERROR_INVALID_IR);
  EXPECT_EQ(program.compile(), NVVM_ERROR_INVALID_IR);
  EXPECT_TRUE(contains(program.log(), "broken.ll:10:20: error: use of undefined value '%z'")) << program.log();
  size_t size = 0;
  EXPECT_EQ(nvvmGetCompiledResultSize(program.handle, &size), NVVM_ERROR_INVALID_PROGRAM);
}

TEST(Nvvm, RefusesWrongUse) {
  nvvmProgram program = nullptr;
  int number = 0;
  EXPECT_EQ(nvvmCreateProgram(nullptr), NVVM_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvvmCompileProgram(program, 0, nullptr), NVVM_ERROR_INVALID_PROGRAM);
  ASSERT_EQ(nvvmCreateProgram(&program), NVVM_SUCCESS);
  EXPECT_EQ(nvvmAddModuleToProgram(program, nullptr, 1, nullptr), NVVM_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvvmCompileProgram(program, 1, nullptr), NVVM_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvvmCompileProgram(program, 0, nullptr), NVVM_ERROR_NO_MODULE_IN_PROGRAM);
  EXPECT_EQ(nvvmDestroyProgram(&program), NVVM_SUCCESS);
  EXPECT_EQ(nvvmDestroyProgram(&program), NVVM_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvvmVersion(&number, nullptr), NVVM_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvvmVersion(&number, &number), NVVM_SUCCESS);
  EXPECT_STREQ(nvvmGetErrorString(NVVM_ERROR_INVALID_IR), "NVVM_ERROR_INVALID_IR");
}

// y = lane for each of the intrinsics that LLVM has in other forms, with 32 lanes.
TEST(Nvvm, HasItsOwnIntrinsics) {
  const auto pairOf = [](const std::string& call, int part) {
    return "  %p = call {i32, i1} " + call + "\n  %v = extractvalue {i32, i1} %p, " + std::to_string(part) + "\n" +
           (part == 0 ? "  %y = add i32 %v, 0\n" : "  %y = zext i1 %v to i32\n");
  };
  const std::string shuffle = "declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)";
  const std::string vote = "declare {i32, i1} @llvm.nvvm.vote.sync(i32, i32, i1)";
  const std::string match =
      "declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)\ndeclare {i32, i1} @llvm.nvvm.match.all.sync.i32(i32, i32)";
  struct Case {
    std::string declarations, body;
    unsigned (*expected)(unsigned lane);
  };
  const auto shuffled = [&](int mode, const std::string& lane, int clamp) {
    return pairOf(
        "@llvm.nvvm.shfl.sync.i32(i32 -1, i32 " + std::to_string(mode) + ", i32 %x, i32 " + lane + ", i32 " + std::to_string(clamp) + ")",
        0);
  };
  const auto voted = [&](int mode, int part) {
    return "  %c = icmp ult i32 %x, 3\n" + pairOf("@llvm.nvvm.vote.sync(i32 -1, i32 " + std::to_string(mode) + ", i1 %c)", part);
  };
  const Case cases[] = {
      {shuffle, shuffled(0, "5", 31), [](unsigned) { return 5u; }},
      {shuffle, shuffled(1, "1", 0), [](unsigned lane) { return lane == 0 ? 0 : lane - 1; }},
      {shuffle, shuffled(2, "1", 31), [](unsigned lane) { return lane == 31 ? 31 : lane + 1; }},
      {shuffle, shuffled(3, "4", 31), [](unsigned lane) { return lane ^ 4; }},
      {vote, voted(0, 1), [](unsigned) { return 0u; }},
      {vote, voted(1, 1), [](unsigned) { return 1u; }},
      {vote, voted(2, 1), [](unsigned) { return 0u; }},
      {vote, voted(3, 0), [](unsigned) { return 7u; }},
      {match,
       "  %h = lshr i32 %x, 4\n  %w = zext i32 %h to i64\n  %s = shl i64 %w, 40\n"
       "  %y = call i32 @llvm.nvvm.match.any.sync.i64(i32 -1, i64 %s)\n",
       [](unsigned lane) { return lane < 16 ? 0xffffu : 0xffff0000u; }},
      {match, pairOf("@llvm.nvvm.match.all.sync.i32(i32 -1, i32 %x)", 1), [](unsigned) { return 0u; }},
      {match, pairOf("@llvm.nvvm.match.all.sync.i32(i32 -1, i32 9)", 0), [](unsigned) { return 0xffffffffu; }},
  };
  std::vector<unsigned> lanes(32);
  for (unsigned lane = 0; lane < 32; ++lane) lanes[lane] = lane;
  for (const Case& each : cases) {
    SCOPED_TRACE(each.body);
    Program program(kernelOf("f", "i32", each.declarations, each.body));
    ASSERT_EQ(program.compile({"-arch=compute_70"}), NVVM_SUCCESS) << program.log();
    std::vector<unsigned> expected;
    for (const unsigned lane : lanes) expected.push_back(each.expected(lane));
    EXPECT_EQ(run(program.ptx(), "f", lanes), expected);
  }
}

// Only one lane needs what comes of the call. LLVM would let that lane make it alone, unless it knows that all lanes must come to it
// together.
TEST(Nvvm, KeepsTheLanesOfACallTogether) {
  Program program(
      kernelOf("f", "i32",
               "define i32 @fifth(i32 %x) noinline nounwind willreturn {\n"
               "  %y = call i32 asm \"shfl.sync.idx.b32 $0, $1, 5, 31, -1;\", \"=r,r\"(i32 %x) convergent nounwind readnone willreturn\n"
               "  ret i32 %y\n}\n",
               "  %v = call i32 @fifth(i32 %x)\n  %c = icmp eq i32 %x, 107\n  br i1 %c, label %one, label %end\none:\n"
               "  store volatile i32 0, i32* %at\n  br label %end\nend:\n  %y = phi i32 [ %v, %one ], [ %x, %entry ]\n"));
  ASSERT_EQ(program.compile({"-arch=compute_70"}), NVVM_SUCCESS) << program.log();
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[i] = 100 + i;
  std::vector<int> expected = values;
  expected[7] = 105;
  EXPECT_EQ(run(program.ptx(), "f", values), expected);
}

TEST(Nvvm, KeepsInlinePtxOnItsSideOfABranch) {
  const std::string ask = " = call i32 asm sideeffect \"activemask.b32 $0;\", \"=r\"\n()\n";
  Program program(kernelOf("f", "i32", "",
                           "  %c = icmp ult i32 %x, 4\n  br i1 %c, label %one, label %two\none:\n  %a" + ask +
                               "  br label %end\ntwo:\n  %b" + ask + "  br label %end\nend:\n  %y = phi i32 [ %a, %one ], [ %b, %two ]\n"));
  ASSERT_EQ(program.compile({"-arch=compute_70"}), NVVM_SUCCESS) << program.log();
  EXPECT_EQ(run<int>(program.ptx(), "f", {0, 9, 0, 9}), (std::vector<int>{5, 10, 5, 10}));
}

struct Accuracy {
  const char* name;  // of libdevice, in double precision
  double ulps;       // docs/device-math.md
  long double (*exact)(long double);
};
constexpr Accuracy kAccuracies[] = {
    {"sin", 1, std::sin},   {"cos", 1, std::cos},     {"tan", 2, std::tan},     {"atan", 2, std::atan},
    {"exp", 1, std::exp},   {"exp2", 1, std::exp2},   {"expm1", 2, std::expm1}, {"log", 1, std::log},
    {"log2", 1, std::log2}, {"log1p", 1, std::log1p}, {"sinh", 3, std::sinh},   {"tanh", 3, std::tanh},
    {"cbrt", 1, std::cbrt}, {"asinh", 1, std::asinh}, {"erf", 2, std::erf},     {"tgamma", 10, std::tgamma},
};

TEST(Libdevice, HasTheAccuracyOfTheDeviceMathLibrary) {
  std::vector<double> arguments;
  for (int i = 1; i <= 256; ++i) arguments.push_back(std::ldexp(1.0 + i * 0.61803398875, i % 5 - 6));
  for (const Accuracy& each : kAccuracies) {
    SCOPED_TRACE(each.name);
    const std::string function = std::string("@__nv_") + each.name;
    Program program(kernelOf("f", "double", "declare double " + function + "(double)", "  %y = call double " + function + "(double %x)\n"));
    program.addLibdevice();
    ASSERT_EQ(program.compile({"-arch=compute_70"}), NVVM_SUCCESS) << program.log();
    const std::vector<double> results = run(program.ptx(), "f", arguments);
    double worst = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const long double exact = each.exact(arguments[i]);
      const double ulp = std::abs(std::nextafter(static_cast<double>(exact), INFINITY) - static_cast<double>(exact));
      worst = std::max(worst, static_cast<double>(std::abs(results[i] - exact)) / ulp);
    }
    EXPECT_LE(worst, each.ulps);
  }
}

TEST(Dialect, FindsFunctionsAndTranslatesNames) {
  const std::string text =
      "define void @\"a b\"(i32 %x) {\ndeclare i32 @g()\ndeclare i32 @llvm.nvvm.vote.sync(i32)\n  call void @h()\ndefine i32 @g(i32 %y)";
  EXPECT_EQ(functionsIn(text), (std::vector<std::string>{"a b", "g"}));
  EXPECT_EQ(translated("call @llvm.nvvm.vote.sync(i32)"), "call @__nvvm_vote.sync(i32)\n");
  EXPECT_EQ(translated("@llvm.nvvm.match.all.sync.i32p("), "@llvm.nvvm.match.all.sync.i32p(\n");
  EXPECT_EQ(translated("target datalayout = \"e\"\nx"), "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\nx\n");
  EXPECT_EQ(
      translated("  %a = tail call i8* @\"llvm.nvvm.ptr.shared.to.gen.p0i8.p3i8\"(i8 addrspace(3)* bitcast (i32 addrspace(3)* @s to i8 "
                 "addrspace(3)*)) #2, !dbg !7"),
      "  %a = addrspacecast i8 addrspace(3)* bitcast (i32 addrspace(3)* @s to i8 addrspace(3)*) to i8* , !dbg !7\n");
}

}  // namespace
}  // namespace warpwright::nvvm
