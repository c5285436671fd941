#include "cc/driver/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"

namespace warpwright::cc {
namespace {

std::string remedyOf(const std::vector<std::string>& words) {
  try {
    parseOptions(words);
  } catch (const Error& error) {
    return error.remedy();
  }
  return "no error";
}

TEST(Options, DefaultsCompileAndLink) {
  const Options options = parseOptions({"a.cu"});
  EXPECT_EQ(options.stage, Stage::kExecutable);
  EXPECT_EQ(options.inputs, std::vector<std::string>{"a.cu"});
  EXPECT_EQ(options.smVersion, 75u);
  EXPECT_EQ(options.deviceAddressBits, 64u);
  EXPECT_TRUE(options.lineInfo);
}

TEST(Options, ReadsTheFormsThatNvccAccepts) {
  const Options options = parseOptions({"-O2", "-g", "-lineinfo", "-arch=sm_86", "-std=c++20", "-maxrregcount=32", "-Iinc", "-I", "more",
                                        "-DA=1", "-UB", "-Llib", "-lm", "-o", "out", "-Xcompiler", "-fopenmp,-Wall", "x.cu"});
  EXPECT_EQ(options.optimisation, "2");
  EXPECT_TRUE(options.hostDebug);
  EXPECT_EQ(options.smVersion, 86u);
  EXPECT_EQ(options.standard, "c++20");
  EXPECT_EQ(options.maxRegisters, 32u);
  EXPECT_EQ(options.preprocessor, (std::vector<std::string>{"-Iinc", "-Imore", "-DA=1", "-UB"}));
  EXPECT_EQ(options.linkerFlags, (std::vector<std::string>{"-Llib", "-lm"}));
  EXPECT_EQ(options.hostFlags, (std::vector<std::string>{"-fopenmp", "-Wall"}));
  EXPECT_EQ(options.output, "out");
}

TEST(Options, ArchitectureInEverySpelling) {
  EXPECT_EQ(parseOptions({"-arch", "compute_60"}).smVersion, 60u);
  EXPECT_EQ(parseOptions({"--gpu-architecture=sm_90a"}).smVersion, 90u);
  EXPECT_EQ(parseOptions({"-gencode", "arch=compute_80,code=[sm_80,compute_80]"}).smVersion, 80u);
  EXPECT_EQ(parseOptions({"-gencode=arch=compute_70,code=sm_70"}).smVersion, 70u);
  EXPECT_THROW(parseOptions({"-arch=sm_xy"}), Error);
  EXPECT_THROW(parseOptions({"-arch=volta"}), Error);
}

TEST(Options, LineInformationIsNotALibrary) {
  EXPECT_TRUE(parseOptions({"-lineinfo"}).linkerFlags.empty());
  EXPECT_EQ(remedyOf({"-lineinf"}), "did you mean -lineinfo?");
  EXPECT_EQ(parseOptions({"-lineal"}).linkerFlags, std::vector<std::string>{"-lineal"});
}

TEST(Options, UnknownOptionsNameTheNearest) {
  EXPECT_EQ(remedyOf({"--kep"}), "did you mean --keep?");
  EXPECT_EQ(remedyOf({"-maxregcount=32"}), "did you mean -maxrregcount?");
  EXPECT_EQ(remedyOf({"--ptxx"}), "did you mean --ptx?");
}

TEST(Options, MissingAndImpossibleValues) {
  EXPECT_THROW(parseOptions({"-o"}), Error);
  EXPECT_THROW(parseOptions({"-maxrregcount=many"}), Error);
  EXPECT_THROW(parseOptions({"-O9"}), Error);
  EXPECT_THROW(parseOptions({"-ftz=maybe"}), Error);
}

TEST(Options, VendorLibrariesAreOutOfScope) {
  EXPECT_THROW(parseOptions({"-lcublasLt"}), Error);
  EXPECT_THROW(parseOptions({"-lcufft"}), Error);
  EXPECT_EQ(parseOptions({"-lcublas"}).linkerFlags, std::vector<std::string>{"-lcublas"});
}

TEST(Options, TheRuntimeIsLinkedAnywayAndTheDriverOnRequest) {
  EXPECT_TRUE(parseOptions({"-lcudart"}).linkerFlags.empty());
  EXPECT_EQ(parseOptions({"-lcuda"}).linkerFlags, std::vector<std::string>{"-lcuda"});
}

TEST(Options, RelocatableDeviceCodeInEverySpelling) {
  EXPECT_FALSE(parseOptions({"-rdc=false"}).relocatable);
  for (const std::string word : {"-rdc=true", "--relocatable-device-code=true", "-fgpu-rdc", "-dc", "--device-c"})
    EXPECT_TRUE(parseOptions({word}).relocatable) << word;
  EXPECT_EQ(parseOptions({"-dc"}).stage, Stage::kObject);
  EXPECT_EQ(parseOptions({"-dlink"}).stage, Stage::kDeviceLink);
  EXPECT_EQ(parseOptions({"-lib"}).stage, Stage::kLibrary);
  EXPECT_THROW(parseOptions({"-rdc=maybe"}), Error);
}

// Words of Makefiles and of CMake.
TEST(Options, CustomaryOptionsOfBuildsAreUnderstood) {
  const Options options = parseOptions({"-Xptxas",
                                        "-v",
                                        "--ptxas-options=-v",
                                        "-Werror",
                                        "all-warnings",
                                        "--threads",
                                        "0",
                                        "-Wl,-soname,x",
                                        "-rdynamic",
                                        "-fPIC",
                                        "-march=native",
                                        "--cuda-gpu-arch=sm_80",
                                        "--cuda-path=/usr",
                                        "-Xnvlink",
                                        "-v",
                                        "-Wext-lambda-captures-this",
                                        "-restrict",
                                        "-x",
                                        "cuda",
                                        "a.cu"});
  EXPECT_EQ(options.inputs, std::vector<std::string>{"a.cu"});
  EXPECT_EQ(options.warnings, std::vector<std::string>{"-Werror"});
  EXPECT_EQ(options.linkerFlags, (std::vector<std::string>{"-Wl,-soname,x", "-rdynamic"}));
  EXPECT_EQ(options.hostFlags, (std::vector<std::string>{"-fPIC", "-march=native"}));
  EXPECT_EQ(options.smVersion, 80u);
}

TEST(Options, MachineCodeIsRefused) {
  for (const std::string word : {"-cubin", "--fatbin"}) EXPECT_NE(remedyOf({word}).find("--ptx"), std::string::npos) << word;
}

TEST(Options, AnotherHostCompilerIsLeftOutWithANote) {
  EXPECT_EQ(parseOptions({"-ccbin", "clang++-16"}).clang, "clang++-16");
  const Options options = parseOptions({"-ccbin", "g++"});
  EXPECT_EQ(options.clang, "");
  EXPECT_EQ(options.notes.size(), 1u);
}

TEST(Options, UnknownOptionsGoToTheHostPassOnRequest) {
  EXPECT_THROW(parseOptions({"-pedantic"}), Error);
  EXPECT_EQ(parseOptions({"-pedantic", "-forward-unknown-to-host-compiler"}).hostFlags, std::vector<std::string>{"-pedantic"});
}

TEST(Options, HelpNamesEveryOptionAndHasExamples) {
  const std::string help = helpText();
  for (const OptionRow& row : optionTable()) EXPECT_NE(help.find(row.names.front()), std::string::npos) << row.names.front();
  EXPECT_NE(help.find("Examples:"), std::string::npos);
}

TEST(Options, NamesAreUnique) {
  std::vector<std::string> names;
  for (const OptionRow& row : optionTable()) names.insert(names.end(), row.names.begin(), row.names.end());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace warpwright::cc
