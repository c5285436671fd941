// The table, the exported symbols, the header and the page in the docs say the same.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "cuda.h"
#include "driver_table.hpp"

namespace {

using namespace warpwright;

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in) << path;
  return text.str();
}

std::set<std::string> exportedSymbols() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("nm -D --defined-only " WARPWRIGHT_BINARY_DIR "/lib/warpwright/libcuda.so.1", "r"),
                                                   pclose);
  std::set<std::string> symbols;
  char address[64], kind[8], name[256];
  while (pipe && std::fscanf(pipe.get(), "%63s %7s %255s", address, kind, name) == 3) symbols.insert(name);
  return symbols;
}

std::set<std::string> tableNames() {
  std::set<std::string> names;
  for (const auto& function : cuda::kDriverFunctions) EXPECT_TRUE(names.insert(std::string(function.name)).second) << function.name;
  return names;
}

TEST(DriverTable, EqualsTheExportedSymbols) {
  std::set<std::string> expected = tableNames();
#define WW_DRIVER_PER_THREAD(function, suffix) EXPECT_TRUE(expected.insert(#function #suffix).second) << "twice: " #function #suffix;
#include "per_thread.def"
  EXPECT_EQ(exportedSymbols(), expected);
}

// A default stream of each thread's own renames functions: __CUDA_API_PTSZ(name) stands for name_ptsz.
TEST(DriverTable, HoldsEveryNameThatNvidiasHeaderDeclares) {
  const char* const theirs = "/usr/local/cuda/include/cuda.h";
  if (!std::ifstream(theirs)) GTEST_SKIP() << "there is no " << theirs;
  const std::string text = read(theirs);
  const std::set<std::string> exported = exportedSymbols();
  const auto expectAll = [&](const char* pattern, const std::string& suffix) {
    const std::regex expression(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
      EXPECT_TRUE(exported.contains((*at)[1].str() + suffix)) << (*at)[1] << suffix;
  };
  expectAll(R"(CUresult\s+CUDAAPI\s+(cu\w+)\s*\()", "");
  expectAll(R"(#\s*define\s+cu\w+\s+(cu\w+))", "");
  expectAll(R"(__CUDA_API_PTSZ\((cu\w+)\))", "_ptsz");
  expectAll(R"(__CUDA_API_PTDS\((cu\w+)\))", "_ptds");
}

TEST(DriverTable, PartialFunctionsSayWhichPart) {
  for (const auto& function : cuda::kDriverFunctions) {
    if (function.status != cudart::ApiStatus::partial) continue;
    EXPECT_FALSE(function.remark.empty()) << function.name;
  }
}

TEST(DriverTable, ThePageIsUpToDate) {
  EXPECT_EQ(read(WARPWRIGHT_SOURCE_DIR "/docs/driver-functions.md"), cuda::driverPage()) << "run `ninja -C build driver-page`";
}

}  // namespace
