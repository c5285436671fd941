// What nvcc really writes. Skipped where it is not installed. The expected texts are those that nvcc -ptx writes from the same source.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "base/file.hpp"
#include "builder.hpp"
#include "fatbin/device_code.hpp"
#include "fatbin/elf_file.hpp"
#include "fatbin/select.hpp"

namespace warpwright::fatbin {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr const char* kKernel = R"(
extern "C" __global__ void twice(float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}
#ifdef WITH_MAIN
int main() { twice<<<1, 32>>>(nullptr, 0); }
#endif
)";
constexpr const char* kLibrary = "__device__ int helper(int x) { return x + 1; }\n";
constexpr const char* kUser = R"(
extern __device__ int helper(int x);
extern "C" __global__ void user(int* p) { *p = helper(*p); }
int main() { user<<<1, 1>>>(nullptr); }
)";

std::string findNvcc() {
  const char* const home = std::getenv("CUDA_HOME");
  for (const std::string& folder : {std::string(home ? home : ""), std::string("/usr/local/cuda")})
    if (access((folder + "/bin/nvcc").c_str(), X_OK) == 0) return folder + "/bin/nvcc";
  return std::system("command -v nvcc > /dev/null") == 0 ? "nvcc" : "";
}

class Nvcc : public ::testing::Test {
 protected:
  void SetUp() override {
    nvcc_ = findNvcc();
    if (nvcc_.empty()) GTEST_SKIP() << "nvcc is not installed (looked in $CUDA_HOME, /usr/local/cuda and $PATH)";
    std::string name = (fs::temp_directory_path() / "warpwright-fatbin-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    write("kernel.cu", kKernel);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  void write(const std::string& file, const std::string& contents) { std::ofstream(folder_ / file) << contents; }
  std::string contents(const std::string& file) { return readFile(folder_ / file); }
  // Runs nvcc in the folder; its file is "out".
  void compile(const std::string& arguments) {
    const std::string command = "cd '" + folder_.string() + "' && '" + nvcc_ + "' -o out " + arguments + " > log 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command << "\n" << contents("log");
  }

  fs::path folder_;
  std::string nvcc_;
};

// Without comments and with single blanks: nvcc blanks the comments of embedded PTX.
std::string normalised(std::string ptx) {
  ptx = std::regex_replace(ptx, std::regex("//[^\n]*"), " ");
  ptx = std::regex_replace(ptx, std::regex("\\s+"), " ");
  return ptx.substr(std::min(ptx.find_first_not_of(' '), ptx.size()), ptx.find_last_not_of(' ') + 1);
}

std::vector<std::string> names(const std::vector<Container>& containers, Kind kind) {
  std::vector<std::string> found;
  for (const Container& container : containers)
    for (const Entry& entry : container.entries)
      if (entry.kind == kind) found.push_back(entry.architecture.name());
  return found;
}

TEST_F(Nvcc, EveryCompression) {
  compile("-ptx -arch=sm_75 kernel.cu");
  const std::string expected = normalised(contents("out"));
  const std::pair<std::string, Compression> modes[] = {
      {"none", Compression::none}, {"speed", Compression::lz4}, {"size", Compression::zstd}};
  for (const auto& [mode, compression] : modes) {
    compile("-c -arch=sm_75 --compress-mode=" + mode + " kernel.cu");
    const std::string object = contents("out");
    const auto containers = fileContainers(object, "kernel.o");
    const Entry& entry = *selectPtx(containers, 75).at(0).entry;
    EXPECT_EQ(entry.compression, compression) << mode;
    EXPECT_EQ(entry.architecture.name(), "sm_75");
    EXPECT_EQ(entry.addressBits, 64u);
    EXPECT_EQ(normalised(entry.ptx()), expected) << mode;
    for (const Entry& other : containers.at(0).entries) {
      if (other.kind != Kind::elf) continue;
      EXPECT_TRUE(ElfFile(other.payload(), "cubin").isDeviceCode()) << mode;
    }
  }
}

TEST_F(Nvcc, SeveralArchitectures) {
  compile(
      "-c -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90a,code=[sm_90a,compute_90a] "
      "kernel.cu");
  const std::string object = contents("out");
  const auto containers = fileContainers(object, "kernel.o");
  EXPECT_EQ(names(containers, Kind::elf), (std::vector<std::string>{"sm_75", "sm_90a"}));
  EXPECT_EQ(names(containers, Kind::ptx), (std::vector<std::string>{"sm_80", "sm_90a"}));
  EXPECT_EQ(selectPtx(containers, 75).at(0).entry->architecture.name(), "sm_80");
  EXPECT_TRUE(selectPtx(containers, 75).at(0).above);
  EXPECT_EQ(selectPtx(containers, 90).at(0).entry->architecture.name(), "sm_90a");
  EXPECT_EQ(selectPtx(containers, 100).at(0).entry->architecture.name(), "sm_80");
}

TEST_F(Nvcc, MachineCodeAlone) {
  compile("-c -gencode arch=compute_75,code=sm_75 kernel.cu");
  const std::string object = contents("out");
  const auto containers = fileContainers(object, "kernel.o");
  EXPECT_EQ(errorOf([&] { selectPtx(containers, 75); }),
            "kernel.o(.nv_fatbin): error: the device code is machine code for sm_75 without PTX\n"
            "  remedy: embed PTX: compile with nvcc -gencode arch=compute_75,code=compute_75 or -arch=sm_75");
}

TEST_F(Nvcc, UnitsLinkedLater) {
  write("library.cu", kLibrary);
  write("user.cu", kUser);
  compile("-rdc=true -arch=sm_75 -cudart shared library.cu user.cu");
  const std::string program = contents("out");
  const auto containers = fileContainers(program, "program");
  const auto selections = selectPtx(containers, 75);
  ASSERT_EQ(selections.size(), 2u);
  EXPECT_NE(selections[0].entry->ptx().find(".visible .func"), std::string::npos);
  EXPECT_NE(selections[1].entry->ptx().find(".extern .func"), std::string::npos);
  EXPECT_NE(selections[1].entry->ptx().find(".entry user"), std::string::npos);
  const auto libraries = ElfFile(program, "program").neededLibraries();
  EXPECT_TRUE(std::any_of(libraries.begin(), libraries.end(), [](const auto& name) { return name.starts_with("libcudart.so"); }));
}

TEST_F(Nvcc, ProgramsArchivesAndFatBinaries) {
  for (const char* const arguments : {"-DWITH_MAIN -arch=sm_75 kernel.cu", "-lib -arch=sm_75 kernel.cu", "-fatbin -arch=sm_75 kernel.cu"}) {
    compile(arguments);
    const std::string bytes = contents("out");
    const auto containers = fileContainers(bytes, "out");
    const auto selections = selectPtx(containers, 75);
    EXPECT_TRUE(std::any_of(selections.begin(), selections.end(), [](const Selection& selection) {
      return selection.entry->ptx().find(".entry twice") != std::string::npos;
    })) << arguments;
  }
}

TEST_F(Nvcc, NameAndOptions) {
  compile("-c -G -maxrregcount=40 -arch=sm_75 kernel.cu");
  const std::string object = contents("out");
  const auto containers = fileContainers(object, "kernel.o");
  const Entry& entry = *selectPtx(containers, 75).at(0).entry;
  EXPECT_EQ(entry.name, "kernel.cu");
  EXPECT_EQ(entry.registerBound(), 40u);
}

}  // namespace
}  // namespace warpwright::fatbin
