#include "sass/trace_list.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.hpp"

namespace warpwright::sass {
namespace {

namespace fs = std::filesystem;

class SassList : public ::testing::Test {
 protected:
  SassList() { fs::create_directories(folder_); }
  ~SassList() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    writeFile(path, text);
    return path;
  }
  std::string problem(const std::string& path) {
    try {
      findTraces(path);
    } catch (const Error& error) {
      EXPECT_FALSE(error.remedy().empty());
      return error.message();
    }
    return "";
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / "warpwright-sass-list";
};

TEST_F(SassList, CopiesAndKernelsInOrder) {
  write("kernel-1.traceg", "");
  write("kernel-2.traceg.xz", "");
  const std::string list =
      write("kernelslist.g", "MemcpyHtoD,0x00007f0000000100,4096\nkernel-1.traceg\nMemcpyDtoH,0x1,2\n\nkernel-2.traceg\n");
  for (const std::string& path : {list, folder_.string()}) {
    const TraceList traces = findTraces(path);
    EXPECT_EQ(traces.name, list);
    ASSERT_EQ(traces.commands.size(), 3u);
    EXPECT_EQ(std::get<HostCopy>(traces.commands[0]).address, GlobalAddress(0x7f00'0000'0100));
    EXPECT_EQ(std::get<HostCopy>(traces.commands[0]).bytes, 4096u);
    EXPECT_EQ(std::get<KernelFile>(traces.commands[1]).path, (folder_ / "kernel-1.traceg").string());
    EXPECT_EQ(std::get<KernelFile>(traces.commands[2]).path, (folder_ / "kernel-2.traceg.xz").string());
  }
}

TEST_F(SassList, OneKernel) {
  const std::string path = write("kernel-7.traceg", "");
  EXPECT_EQ(std::get<KernelFile>(findTraces(path).commands.at(0)).path, path);
}

TEST_F(SassList, WhatIsWrong) {
  EXPECT_EQ(problem(folder_.string()), fmt::format("the folder '{}' has no kernelslist.g", folder_.string()));
  EXPECT_EQ(problem(write("kernelslist.g", "kernel-9.traceg\n")),
            fmt::format("there is no trace '{}'", (folder_ / "kernel-9.traceg").string()));
  EXPECT_EQ(problem(write("kernelslist.g", "launch 1\n")), "'launch 1' is no command of a list of kernels");
  EXPECT_EQ(problem(write("kernelslist.g", "MemcpyHtoD,0x1\n")), "the line ends before the bytes");
  EXPECT_EQ(problem(write("kernelslist.g", "")).substr(0, 8), "the list");
}

}  // namespace
}  // namespace warpwright::sass
