// Runs the driver as a user does: small programs to PTX and to objects, and its errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cc/driver/process.hpp"

namespace warpwright::cc {
namespace {

namespace fs = std::filesystem;

const std::string kCc = WARPWRIGHT_BINARY_DIR "/bin/warpwright-cc";
const std::string kHeaders = WARPWRIGHT_SOURCE_DIR "/src/cc/include/";
const fs::path kPrograms = WARPWRIGHT_SOURCE_DIR "/tests/unit/cc/programs";

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

// The rest of every line of a program that starts with `// KEY: `.
std::vector<std::string> directives(const fs::path& program, const std::string& key) {
  std::vector<std::string> found;
  std::ifstream file(program);
  const std::string prefix = "// " + key + ": ";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(prefix, 0) == 0) found.push_back(line.substr(prefix.size()));
  }
  return found;
}

std::vector<fs::path> programs() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(kPrograms)) {
    if (entry.path().extension() == ".cu") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The files that the instructions of the PTX are charged to.
std::vector<std::string> filesOfLines(const std::string& ptx) {
  std::map<std::string, std::string> names;  // by number
  std::set<std::string> used;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string directive, number, name;
    words >> directive >> number >> name;
    if (directive == ".file") names[number] = name;
    if (directive == ".loc") used.insert(number);
  }
  std::vector<std::string> files;
  for (const std::string& number : used) files.push_back(names.at(number));
  return files;
}

class Program : public ::testing::TestWithParam<fs::path> {};

TEST_P(Program, CompilesToTheInstructionsItNames) {
  const TemporaryFolder folder;
  const fs::path ptx = folder.path() + "/out.ptx";
  Command command = {kCc, "--ptx", "-lineinfo", GetParam().string(), "-o", ptx.string()};
  for (const std::string& flag : directives(GetParam(), "FLAGS")) command.push_back(flag);
  const std::string messages = capture(command);
  ASSERT_TRUE(fs::exists(ptx)) << messages;
  EXPECT_EQ(messages, "");
  const std::string text = contents(ptx);
  for (const std::string& wanted : directives(GetParam(), "PTX")) EXPECT_NE(text.find(wanted), std::string::npos) << wanted;
  // What a function of a header does is charged to the line of the program that calls it, and reported there.
  for (const std::string& file : filesOfLines(text)) EXPECT_FALSE(file.starts_with(kHeaders)) << file;
}

TEST_P(Program, CompilesToAnObject) {
  const TemporaryFolder folder;
  const fs::path object = folder.path() + "/out.o";
  Command command = {kCc, "-O1", "-c", GetParam().string(), "-o", object.string()};
  for (const std::string& flag : directives(GetParam(), "FLAGS")) command.push_back(flag);
  const std::string messages = capture(command);
  ASSERT_TRUE(fs::exists(object)) << messages;
  // The PTX travels inside, as text.
  EXPECT_NE(contents(object).find(".version 7."), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Driver, Program, ::testing::ValuesIn(programs()),
                         [](const ::testing::TestParamInfo<fs::path>& program) { return program.param.stem().string(); });

TEST(Driver, PlainCppUsesTheHostHeaders) {
  const TemporaryFolder folder;
  const std::string object = folder.path() + "/out.o";
  const std::string messages = capture({kCc, "-c", (kPrograms / "host_only.cpp").string(), "-o", object});
  EXPECT_TRUE(fs::exists(object)) << messages;
}

TEST(Driver, LinesOfTheSourceAreInThePtxByDefault) {
  const TemporaryFolder folder;
  const fs::path source = folder.path() + "/k.cu", ptx = folder.path() + "/k.ptx";
  write(source, "__global__ void k(int* p) {\n  *p = threadIdx.x;\n}\nint main() { return 0; }\n");
  EXPECT_EQ(capture({kCc, "--ptx", source.string(), "-o", ptx.string()}), "");
  const std::string text = contents(ptx);
  EXPECT_NE(text.find(".loc\t1 2 "), std::string::npos);
  EXPECT_NE(text.find("// warpwright: source="), std::string::npos);
  // threadIdx is charged to the program's line, so no header has lines of its own.
  EXPECT_EQ(text.find(".file\t2"), std::string::npos);
  EXPECT_EQ(capture({kCc, "--no-lineinfo", "--ptx", source.string(), "-o", ptx.string()}), "");
  EXPECT_EQ(contents(ptx).find(".loc"), std::string::npos);
}

TEST(Driver, ErrorsKeepFileAndLine) {
  const TemporaryFolder folder;
  const fs::path source = folder.path() + "/bad.cu";
  write(source, "__global__ void k(int* p) {\n  *p = nowhere;\n}\n");
  const std::string messages = capture({kCc, "-c", source.string(), "-o", folder.path() + "/bad.o"});
  EXPECT_NE(messages.find("bad.cu:2:8: error:"), std::string::npos) << messages;
  EXPECT_FALSE(fs::exists(folder.path() + "/bad.o"));
}

// What a file gets that includes the header.
std::string messagesOf(const std::string& header) {
  const TemporaryFolder folder;
  const fs::path source = folder.path() + "/v.cu";
  write(source, "#include <" + header + ">\n");
  return capture({kCc, "-c", source.string(), "-o", folder.path() + "/v.o"});
}

TEST(Driver, VendorHeadersSayThatTheyAreOutOfScope) {
  for (const std::string header : {"cufft.h", "cudnn.h", "nccl.h"}) {
    const std::string messages = messagesOf(header);
    EXPECT_NE(messages.find("out of scope"), std::string::npos) << header << ": " << messages;
  }
}

TEST(Driver, HeadersThatAreNotInstalledSayWhereTheyAreFound) {
  for (const std::string header : {"thrust/device_vector.h", "cub/cub.cuh", "cuda/atomic"}) {
    if (fs::exists("/usr/include/" + header)) continue;
    const std::string messages = messagesOf(header);
    EXPECT_NE(messages.find("-I/usr/local/cuda/include/cccl"), std::string::npos) << header << ": " << messages;
  }
}

TEST(Driver, MistakesAreExplained) {
  EXPECT_NE(capture({kCc}).find("no input files"), std::string::npos);
  EXPECT_NE(capture({kCc, "/no/such.cu"}).find("no such file: '/no/such.cu'"), std::string::npos);
  EXPECT_NE(capture({kCc, "--kep"}).find("did you mean --keep"), std::string::npos);
  EXPECT_NE(capture({kCc, "-ccbin=/no/clang", (kPrograms / "vectors.cu").string()}).find("cannot find clang"), std::string::npos);
  EXPECT_NE(
      capture({kCc, "-c", "-o", "x.o", (kPrograms / "vectors.cu").string(), (kPrograms / "atomics.cu").string()}).find("several inputs"),
      std::string::npos);
}

TEST(Driver, DryRunPrintsThreeCommandsAndRunsNone) {
  const TemporaryFolder folder;
  const std::string program = folder.path() + "/app";
  const std::string text = capture({kCc, "--dryrun", (kPrograms / "vectors.cu").string(), "-o", program});
  EXPECT_NE(text.find("--cuda-device-only"), std::string::npos);
  EXPECT_NE(text.find("--cuda-host-only"), std::string::npos);
  EXPECT_NE(text.find("-lwarpwright_cudart"), std::string::npos);
  EXPECT_FALSE(fs::exists(program));
}

TEST(Driver, DependenciesNameTheObject) {
  const TemporaryFolder folder;
  const std::string rule = folder.path() + "/v.d";
  EXPECT_EQ(capture({kCc, "-c", "-MMD", "-MF", rule, (kPrograms / "vectors.cu").string(), "-o", folder.path() + "/v.o"}), "");
  const std::string text = contents(rule);
  EXPECT_EQ(text.rfind(folder.path() + "/v.o:", 0), 0u) << text;
  EXPECT_NE(text.find("vectors.cu"), std::string::npos);
}

TEST(Driver, PtxGoesToStandardOutputOnRequest) {
  const std::string text = capture({kCc, "--ptx", (kPrograms / "vectors.cu").string(), "-o", "-"});
  EXPECT_EQ(text.rfind("// warpwright: source=", 0), 0u) << text.substr(0, 200);
  EXPECT_NE(text.find(".entry"), std::string::npos);
}

TEST(Driver, VersionNamesClangAndTheReleaseThatTheHeadersFollow) {
  const std::string text = capture({kCc, "--version"});
  EXPECT_NE(text.find("clang version"), std::string::npos) << text;
  EXPECT_NE(text.find("V11.5.0"), std::string::npos) << text;
}

// Of the releases that the tests run with, whatever plain clang++ is.
TEST(Driver, TheNewestClangIsTaken) {
  const TemporaryFolder folder;
  const auto install = [&](const std::string& name, int version) {
    const std::string path = folder.path() + "/" + name;
    write(path, "#!/bin/sh\necho clang version " + std::to_string(version) + ".0.0\n");
    fs::permissions(path, fs::perms::owner_all);
  };
  const auto chosen = [&] {
    const std::string text = capture({"/usr/bin/env", "-u", "WARPWRIGHT_CLANG", "PATH=" + folder.path() + ":/bin", kCc, "--version"});
    return text.substr(std::min(text.size(), text.find("clang version")));
  };
  install("clang++", 14);
  install("clang++-19", 19);
  install("clang++-16", 16);
  EXPECT_EQ(chosen(), "clang version 19.0.0\n");
}

// Clang's releases of Debian 12, as far as they are installed.
class Clang : public ::testing::TestWithParam<int> {};

TEST_P(Clang, CompilesEveryHeader) {
  const std::string clang = "/usr/bin/clang++-" + std::to_string(GetParam());
  if (!fs::exists(clang)) GTEST_SKIP() << clang << " is not installed";
  const TemporaryFolder folder;
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(WARPWRIGHT_SOURCE_DIR "/src/cc/include")) {
    const std::string name = fs::relative(entry.path(), WARPWRIGHT_SOURCE_DIR "/src/cc/include").string();
    if (entry.path().extension() == ".h" && !name.starts_with("warpwright")) text += "#include <" + name + ">\n";
  }
  const std::string source = folder.path() + "/all.cu", object = folder.path() + "/all.o";
  write(source, text + "__global__ void k(int* out) { *out = threadIdx.x; }\n");
  EXPECT_EQ(capture({kCc, "-ccbin", clang, "-arch=sm_90", "-c", source, "-o", object}), "");
  EXPECT_TRUE(fs::exists(object));
}

INSTANTIATE_TEST_SUITE_P(Driver, Clang, ::testing::Values(14, 16, 19), testing::PrintToStringParamName());

// Programs tell by NVIDIA's include guards which headers they have.
TEST(Driver, TheHeadersDefineTheGuardsThatProgramsAskFor) {
  const TemporaryFolder folder;
  const std::string source = folder.path() + "/guards.cu";
  std::string text = "#include <cuda.h>\n#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n";
  for (const std::string guard : {"__CUDA_RUNTIME_H__", "__CUDA_RUNTIME_API_H__", "__DRIVER_TYPES_H__", "__VECTOR_TYPES_H__",
                                  "__HOST_DEFINES_H__", "__cuda_cuda_h__", "__CUDA_FP16_H__", "_COOPERATIVE_GROUPS_H_"})
    text += "#ifndef " + guard + "\n#error no " + guard + "\n#endif\n";
  write(source, text);
  EXPECT_EQ(capture({kCc, "-c", source, "-o", folder.path() + "/guards.o"}), "");
}

TEST(Driver, RegisterIsAWarning) {
  const TemporaryFolder folder;
  const std::string source = folder.path() + "/r.cu", object = folder.path() + "/r.o";
  write(source, "__global__ void k(int* p) {\n  register int x = 3;\n  *p = x;\n}\nint main() { register int y = 0; return y; }\n");
  const std::string messages = capture({kCc, "-c", source, "-o", object});
  EXPECT_TRUE(fs::exists(object)) << messages;
  EXPECT_NE(messages.find("warning"), std::string::npos) << messages;
  EXPECT_EQ(messages.find("error"), std::string::npos) << messages;
}

TEST(Driver, WordsForClangAndLlvmPassThrough) {
  const std::string source = (kPrograms / "vectors.cu").string();
  const std::string commands = capture({kCc, "--dryrun", "-Xclang", "-fexceptions", "-mllvm", "-unroll-threshold=7", source});
  for (const std::string words : {"-Xclang -fexceptions", "-mllvm -unroll-threshold=7"}) {
    const size_t first = commands.find(words);
    ASSERT_NE(first, std::string::npos) << commands;
    EXPECT_NE(commands.find(words, first + 1), std::string::npos) << commands;
  }
}

std::vector<std::string> entriesOf(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

// Also after errors and signals nothing stays under the temporary folder.
TEST(Driver, LeavesNoTemporaryFiles) {
  const TemporaryFolder folder;
  const std::string source = folder.path() + "/bad.cu", temporary = folder.path() + "/tmp", hanging = folder.path() + "/clang++-hangs";
  fs::create_directory(temporary);
  write(source, "#include <nowhere.h>\n");
  capture({"/usr/bin/env", "TMPDIR=" + temporary, kCc, source, "-o", folder.path() + "/bad"});
  EXPECT_EQ(entriesOf(temporary), std::vector<std::string>());

  write(hanging, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo clang version 19.0.0; exit; fi\ntouch " + folder.path() +
                     "/started\nexec sleep 100\n");
  fs::permissions(hanging, fs::perms::owner_all);
  int status = 0;
  capture({"/bin/sh", "-c",
           "TMPDIR=" + temporary + " " + kCc + " -ccbin " + hanging + " " + source + " & " + "while [ ! -e " + folder.path() +
               "/started ]; do sleep 0.05; done; kill -TERM $!; wait $!"},
          &status);
  EXPECT_EQ(status, 128 + 15);
  EXPECT_EQ(entriesOf(temporary), std::vector<std::string>());
}

TEST(Driver, HeadersOfAnotherToolKitDoNotHideTheProjectsOwn) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() + "/include");
  write(folder.path() + "/include/cuda_runtime.h", "#error \"not the project's own\"\n");
  const std::string object = folder.path() + "/v.o";
  const std::string messages = capture({kCc, "-c", "-I" + folder.path() + "/include", (kPrograms / "vectors.cu").string(), "-o", object});
  EXPECT_TRUE(fs::exists(object)) << messages;
  EXPECT_NE(messages.find("left out"), std::string::npos) << messages;
}

TEST(Driver, KeepLeavesTheIntermediateFiles) {
  const TemporaryFolder folder;
  capture({kCc, "-c", "--keep-dir", folder.path(), (kPrograms / "vectors.cu").string(), "-o", folder.path() + "/v.o"});
  EXPECT_TRUE(fs::exists(folder.path() + "/vectors.ptx"));
}

}  // namespace
}  // namespace warpwright::cc
