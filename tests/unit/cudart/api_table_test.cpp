// The table, the exported symbols and the page in the docs say the same.
#include "api_table.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

namespace {

using namespace warpwright::cudart;

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in) << path;
  return text.str();
}

std::set<std::string> symbolsOf(const std::string& library) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("nm -D --defined-only --without-symbol-versions " + library).c_str(), "r"),
                                                   pclose);
  std::set<std::string> symbols;
  char address[64], kind[8], name[256];
  while (pipe && std::fscanf(pipe.get(), "%63s %7s %255s", address, kind, name) == 3) symbols.insert(name);
  return symbols;
}

std::set<std::string> exportedSymbols() { return symbolsOf(WARPWRIGHT_BINARY_DIR "/lib/libwarpwright_cudart.so"); }

std::set<std::string> tableNames() {
  std::set<std::string> names;
  for (const auto& function : kApiFunctions) EXPECT_TRUE(names.insert(std::string(function.name)).second) << "twice: " << function.name;
  return names;
}

// Forms of the table's functions with a default stream of each thread's own.
std::set<std::string> perThreadForms(const std::set<std::string>& names) {
  std::set<std::string> forms;
#define WW_PER_THREAD(function, suffix)                           \
  EXPECT_TRUE(names.contains(#function)) << "no row: " #function; \
  EXPECT_TRUE(forms.insert(#function #suffix).second) << "twice: " #function;
#include "per_thread.def"
  return forms;
}

// What Warpwright's libraries have among themselves.
bool isInternal(const std::string& name) { return name.starts_with("__warpwright"); }

TEST(ApiTable, EqualsTheExportedSymbols) {
  std::set<std::string> expected = tableNames();
  expected.merge(perThreadForms(tableNames()));
  std::set<std::string> exported = exportedSymbols();
  std::erase_if(expected, isInternal);
  std::erase_if(exported, isInternal);
  EXPECT_EQ(exported, expected);
}

TEST(ApiTable, HoldsEveryNameOfNvidiasLibrary) {
  const char* const theirs = "/usr/local/cuda/lib64/libcudart.so";
  if (!std::ifstream(theirs)) GTEST_SKIP() << "there is no " << theirs;
  const std::set<std::string> exported = exportedSymbols();
  for (const std::string& name : symbolsOf(theirs)) {
    const bool isFunction = name.starts_with("cuda") || name.starts_with("__cuda");
    EXPECT_TRUE(!isFunction || exported.contains(name)) << name;
  }
}

TEST(ApiTable, HoldsEveryDeclaredFunction) {
  const auto names = tableNames();
  for (const char* header : {"cuda_runtime_api.h", "cuda_array_api.h", "cuda_graph_api.h", "cuda_legacy_api.h", "cuda_library_api.h",
                             "cuda_unsupported_api.h"}) {
    const std::string text = read(std::string(WARPWRIGHT_SOURCE_DIR "/src/cudart/include/") + header);
    const std::regex declaration(R"(cudaError_t\s+(cuda\w+)\()");
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at)
      EXPECT_TRUE(names.contains((*at)[1])) << (*at)[1];
  }
}

TEST(ApiTable, PartialFunctionsSayWhichPart) {
  for (const auto& function : kApiFunctions) {
    if (function.status != ApiStatus::partial) continue;
    EXPECT_FALSE(function.remark.empty()) << function.name;
  }
}

TEST(ApiTable, ThePageIsUpToDate) {
  EXPECT_EQ(read(WARPWRIGHT_SOURCE_DIR "/docs/api-functions.md"), apiPage()) << "run `ninja -C build api-page`";
}

}  // namespace
