#include "cc/driver/commands.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"

namespace warpwright::cc {
namespace {

Toolchain tools() {
  Toolchain t;
  t.clang = "clang++";
  t.includeFolders = {"/headers"};
  t.vendorStubFolder = "/headers/stubs";
  t.address32Folder = "/headers/a32";
  t.libraryFolder = "/lib";
  return t;
}

bool has(const Command& command, const std::string& word) { return std::find(command.begin(), command.end(), word) != command.end(); }

// Whether `second` directly follows `first`.
bool hasPair(const Command& command, const std::string& first, const std::string& second) {
  const auto match = [&](const std::string& a, const std::string& b) { return a == first && b == second; };
  return std::adjacent_find(command.begin(), command.end(), match) != command.end();
}

TEST(Commands, NeverLookForVendorSoftware) {
  const Options options = parseOptions({"a.cu"});
  for (const Command& command :
       {deviceCommand(options, tools(), "a.cu", "a.ptx"), hostCommand(options, tools(), "a.cu", Language::kCuda, "a.ptx", "a.o")}) {
    EXPECT_TRUE(has(command, "-nocudainc"));
    EXPECT_TRUE(has(command, "-nocudalib"));
    EXPECT_TRUE(has(command, "--cuda-path=/nonexistent-by-design"));
    EXPECT_TRUE(hasPair(command, "-include", "cuda_runtime.h"));
  }
}

TEST(Commands, DevicePassMakesPtxWithLines) {
  const Command command = deviceCommand(parseOptions({"-arch=sm_60", "-O1", "a.cu"}), tools(), "a.cu", "a.ptx");
  EXPECT_TRUE(has(command, "--cuda-device-only"));
  EXPECT_TRUE(has(command, "--cuda-gpu-arch=sm_60"));
  EXPECT_TRUE(has(command, "-gline-directives-only"));
  EXPECT_TRUE(has(command, "-O1"));
  EXPECT_FALSE(has(deviceCommand(parseOptions({"--no-lineinfo", "a.cu"}), tools(), "a.cu", "a.ptx"), "-gline-directives-only"));
  EXPECT_TRUE(has(deviceCommand(parseOptions({"-G", "a.cu"}), tools(), "a.cu", "a.ptx"), "-O0"));
  EXPECT_TRUE(has(deviceCommand(parseOptions({"-fmad=false", "a.cu"}), tools(), "a.cu", "a.ptx"), "-ffp-contract=off"));
}

// clang 14 knows targets up to sm_86: the source sees what was asked for all the same.
TEST(Commands, ArchitecturesThatClangDoesNotKnowAreLowered) {
  const Options options = parseOptions({"-arch=sm_90", "a.cu"});
  const Command command = deviceCommand(options, tools(), "a.cu", "a.ptx");
  EXPECT_TRUE(has(command, "--cuda-gpu-arch=sm_86"));
  EXPECT_TRUE(has(command, "+ptx75"));
  EXPECT_TRUE(hasPair(command, "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=900"));
  Toolchain newer = tools();
  newer.clangMajor = 16;
  const Command known = deviceCommand(options, newer, "a.cu", "a.ptx");
  EXPECT_TRUE(has(known, "--cuda-gpu-arch=sm_90"));
  EXPECT_TRUE(has(known, "+ptx78"));
  EXPECT_FALSE(has(known, "-U__CUDA_ARCH__"));
}

TEST(Commands, DeviceCodeMayPassUndefinedValues) {
  const Options options = parseOptions({"a.cu"});
  EXPECT_TRUE(hasPair(deviceCommand(options, tools(), "a.cu", "a.ptx"), "-Xclang", "-disable-noundef-analysis"));
  Toolchain newer = tools();
  newer.clangMajor = 15;
  EXPECT_TRUE(hasPair(deviceCommand(options, newer, "a.cu", "a.ptx"), "-Xclang", "-no-enable-noundef-analysis"));
}

TEST(Commands, OnlyTheDevicePassHas32BitAddresses) {
  const Options options = parseOptions({"-m32", "a.cu"});
  EXPECT_TRUE(has(deviceCommand(options, tools(), "a.cu", "a.ptx"), "-m32"));
  EXPECT_FALSE(has(hostCommand(options, tools(), "a.cu", Language::kCuda, "a.ptx", "a.o"), "-m32"));
}

TEST(Commands, HostPassEmbedsThePtx) {
  const Options options = parseOptions({"-g", "-Xcompiler", "-fopenmp", "-MD", "-MF", "a.d", "a.cu"});
  const Command command = hostCommand(options, tools(), "a.cu", Language::kCuda, "a.ptx", "a.o");
  EXPECT_TRUE(hasPair(command, "-fcuda-include-gpubinary", "-Xclang"));
  EXPECT_TRUE(hasPair(command, "-Xclang", "a.ptx"));
  EXPECT_TRUE(has(command, "-fopenmp"));
  EXPECT_TRUE(has(command, "-g"));
  EXPECT_TRUE(hasPair(command, "-MF", "a.d"));
  EXPECT_FALSE(has(deviceCommand(options, tools(), "a.cu", "a.ptx"), "-fopenmp"));
}

TEST(Commands, ARelocatableUnitHasItsIdInBothPasses) {
  Options options = parseOptions({"-rdc=true", "a.cu"});
  EXPECT_FALSE(has(deviceCommand(options, tools(), "a.cu", "a.ptx"), "-fgpu-rdc"));
  options.unitId = "0123";
  for (const Command& command :
       {deviceCommand(options, tools(), "a.cu", "a.ptx"), hostCommand(options, tools(), "a.cu", Language::kCuda, "a.ptx", "a.o")}) {
    EXPECT_TRUE(hasPair(command, "-Xclang", "-fgpu-rdc"));
    EXPECT_TRUE(hasPair(command, "-fgpu-rdc", "-cuid=0123"));
    EXPECT_TRUE(hasPair(command, "-Xclang", "-cuid=0123"));
  }
  EXPECT_FALSE(has(hostCommand(options, tools(), "a.cpp", Language::kCxx, "", "a.o"), "-cuid=0123"));
}

TEST(Commands, LinksWithTheRuntimeAndItsPath) {
  const Command command = linkCommand(parseOptions({"-lm", "a.o"}), tools(), {"a.o"}, "app");
  EXPECT_TRUE(has(command, "-lwarpwright_cudart"));
  EXPECT_TRUE(has(command, "-Wl,-rpath,/lib"));
  EXPECT_TRUE(has(command, "-lm"));
  EXPECT_TRUE(hasPair(command, "-o", "app"));
}

TEST(Commands, LanguageComesFromTheNameOrX) {
  EXPECT_EQ(languageOf(parseOptions({}), "a.cu"), Language::kCuda);
  EXPECT_EQ(languageOf(parseOptions({}), "a.cpp"), Language::kCxx);
  EXPECT_EQ(languageOf(parseOptions({}), "a.c"), Language::kC);
  EXPECT_EQ(languageOf(parseOptions({}), "liba.a"), Language::kLinkerInput);
  EXPECT_EQ(languageOf(parseOptions({"-x", "cu"}), "a.cpp"), Language::kCuda);
  EXPECT_EQ(languageOf(parseOptions({"-x", "cu"}), "a.o"), Language::kLinkerInput);
  EXPECT_THROW(languageOf(parseOptions({}), "a.txt"), Error);
  EXPECT_THROW(languageOf(parseOptions({"-x", "java"}), "a.txt"), Error);
}

TEST(Commands, PreambleCarriesTheRegisterLimit) {
  EXPECT_NE(ptxPreamble(parseOptions({"-maxrregcount=24"}), "a.cu").find("// warpwright: maxrregcount=24\n"), std::string::npos);
  EXPECT_EQ(ptxPreamble(parseOptions({}), "a.cu").find("maxrregcount"), std::string::npos);
}

TEST(Commands, QuotingSurvivesAShell) { EXPECT_EQ(quoted({"a", "b c", "it's"}), "a 'b c' 'it'\\''s'"); }

}  // namespace
}  // namespace warpwright::cc
