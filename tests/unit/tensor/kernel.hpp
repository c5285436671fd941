// A kernel `k(out, in)` given as the statements of its body, from PTX text to results in memory.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "compiler/compiler.hpp"
#include "exec/launch.hpp"
#include "ptx/parser.hpp"

namespace warpwright::tensor {

struct LaunchSetup {
  u32 threads = 32;
  u32 warpSize = 32;
  exec::Reconvergence reconvergence = exec::Reconvergence::independent;
  bool races = false;
  std::string module;  // declarations before the kernel
};

// %out and %in are the buffers' addresses, %tid the thread's number; the body declares what else it needs.
inline std::string kernelText(const std::string& body, const std::string& module = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + module +
         "\n.visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
         ".reg .b64 %out, %in, %addr;\n.reg .b32 %tid;\n"
         "ld.param.u64 %out, [out];\nld.param.u64 %in, [in];\nmov.u32 %tid, %tid.x;\n" +
         body + "\nret;\n}\n";
}

template <typename Out, typename In>
exec::LaunchResult launch(const std::string& ptx, const std::vector<In>& input, std::vector<Out>& output, const LaunchSetup& setup = {}) {
  exec::GlobalMemory::Options options;
  options.capacity = u64{16} << 20;
  exec::GlobalMemory memory(options);
  const auto loaded = exec::load(compiler::compile(ptx::parse(ptx, "test.ptx")), memory);
  const u64 inBytes = input.size() * sizeof(In), outBytes = output.size() * sizeof(Out);
  const u64 in = memory.allocate(std::max<u64>(inBytes, 1), exec::AllocationKind::device, "in").value();
  const u64 out = memory.allocate(outBytes, exec::AllocationKind::device, "out").value();
  if (inBytes) std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(in)), input.data(), inBytes);
  std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(out)), output.data(), outBytes);
  std::vector<u8> parameters(16);
  std::memcpy(&parameters[0], &out, 8);
  std::memcpy(&parameters[8], &in, 8);
  exec::LaunchRequest request;
  request.launch = std::make_shared<const exec::Launch>(
      exec::Launch{{{1, 1, 1}, {setup.threads, 1, 1}}, loaded.get(), loaded->program.findFunction("k"), parameters});
  request.limits.warpSize = setup.warpSize;
  request.limits.reconvergence = setup.reconvergence;
  request.checks.races = setup.races;
  exec::LaunchResult result = exec::launch(request, memory);
  std::memcpy(output.data(), exec::GlobalMemory::hostPointer(GlobalAddress(out)), outBytes);
  return result;
}

template <typename Out, typename In>
std::vector<Out> run(const std::string& body, const std::vector<In>& input, std::size_t outputs, const LaunchSetup& setup = {}) {
  std::vector<Out> output(outputs);
  const exec::LaunchResult result = launch(kernelText(body, setup.module), input, output, setup);
  EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  return output;
}

// "{%a0, %a1}"
inline std::string vectorOf(const std::string& name, u32 count) {
  std::string text = "{";
  for (u32 i = 0; i < count; ++i) text += (i ? ", %" : "%") + name + std::to_string(i);
  return text + "}";
}

}  // namespace warpwright::tensor
