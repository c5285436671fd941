#include "program.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "cc/driver/commands.hpp"
#include "cc/driver/text_compilation.hpp"
#include "names.hpp"
#include "options.hpp"

namespace warpwright::nvrtc {
namespace {

// With what the options and the name expressions add. Lines are counted anew behind the pragma.
std::string sourceOf(const _nvrtcProgram& program, bool deviceByDefault) {
  const std::string probes = nameProbes(program.expressions);
  if (!deviceByDefault) return program.source + probes;
  return fmt::format("#pragma clang force_cuda_host_device begin\n#line 1 \"{}\"\n{}\n#pragma clang force_cuda_host_device end\n{}",
                     program.name, program.source, probes);
}

nvrtcResult compileWith(_nvrtcProgram& program, CompileOptions options) {
  options.compiler.preprocessor.insert(options.compiler.preprocessor.begin(), "-D__CUDACC_RTC__=1");
  cc::CompiledText compiled = cc::compileText({sourceOf(program, options.deviceByDefault), program.name, program.headers}, options.compiler,
                                              cc::driverNear(reinterpret_cast<const void*>(&compile)));
  program.log = std::move(compiled.log);
  if (!compiled.succeeded) return NVRTC_ERROR_COMPILATION;
  program.loweredNames = takeNames(compiled.ptx, program.expressions);
  program.ptx = cc::ptxPreamble(options.compiler, program.name) + compiled.ptx;
  program.compiled = true;
  return NVRTC_SUCCESS;
}

}  // namespace

nvrtcResult compile(_nvrtcProgram& program, const std::vector<std::string>& words) {
  program.compiled = false;
  CompileOptions options;
  try {
    options = readOptions(words);
  } catch (const Error& error) {
    program.log = error.what();
    return NVRTC_ERROR_INVALID_OPTION;
  }
  program.realArchitecture = options.realArchitecture;
  try {
    return compileWith(program, std::move(options));
  } catch (const Error& error) {
    program.log = error.what();
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
}

}  // namespace warpwright::nvrtc
