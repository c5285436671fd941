#include <cstring>
#include <memory>
#include <mutex>
#include <set>

#include "nvvm.h"
#include "nvvm/program.hpp"

namespace {

using warpwright::nvvm::compile;
using warpwright::nvvm::verify;

constexpr int kMajor = 2, kMinor = 0;            // of the library: as with CUDA 11.2 to 12
constexpr int kMajorDebug = 3, kMinorDebug = 1;  // of its debug metadata

std::mutex programsMutex;
std::set<const _nvvmProgram*>& programs() {
  static std::set<const _nvvmProgram*> all;
  return all;
}

bool isAlive(const _nvvmProgram* program) {
  const std::lock_guard lock(programsMutex);
  return programs().contains(program);
}

template <class Action>
nvvmResult withProgram(nvvmProgram program, bool valid, Action&& action) {
  if (!isAlive(program)) return NVVM_ERROR_INVALID_PROGRAM;
  if (!valid) return NVVM_ERROR_INVALID_INPUT;
  try {
    return action();
  } catch (const std::bad_alloc&) {
    return NVVM_ERROR_OUT_OF_MEMORY;
  }
}

nvvmResult add(nvvmProgram program, const char* buffer, size_t size, const char* name, bool lazy) {
  return withProgram(program, buffer && size > 0, [&] {
    program->modules.push_back({std::string(buffer, size), name ? name : "", lazy});
    return NVVM_SUCCESS;
  });
}

nvvmResult give(char* to, const std::string& text) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVVM_SUCCESS;
}

}  // namespace

const char* nvvmGetErrorString(nvvmResult result) {
  static const char* const kNames[] = {"NVVM_SUCCESS",
                                       "NVVM_ERROR_OUT_OF_MEMORY",
                                       "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
                                       "NVVM_ERROR_IR_VERSION_MISMATCH",
                                       "NVVM_ERROR_INVALID_INPUT",
                                       "NVVM_ERROR_INVALID_PROGRAM",
                                       "NVVM_ERROR_INVALID_IR",
                                       "NVVM_ERROR_INVALID_OPTION",
                                       "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
                                       "NVVM_ERROR_COMPILATION"};
  const auto index = static_cast<std::size_t>(result);
  return index < std::size(kNames) ? kNames[index] : "NVVM_ERROR unknown";
}

nvvmResult nvvmVersion(int* major, int* minor) {
  if (!major || !minor) return NVVM_ERROR_INVALID_INPUT;
  *major = kMajor;
  *minor = kMinor;
  return NVVM_SUCCESS;
}

nvvmResult nvvmIRVersion(int* majorIR, int* minorIR, int* majorDbg, int* minorDbg) {
  if (!majorDbg || !minorDbg) return NVVM_ERROR_INVALID_INPUT;
  *majorDbg = kMajorDebug;
  *minorDbg = kMinorDebug;
  return nvvmVersion(majorIR, minorIR);
}

nvvmResult nvvmCreateProgram(nvvmProgram* program) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  try {
    auto made = std::make_unique<_nvvmProgram>();
    const std::lock_guard lock(programsMutex);
    programs().insert(made.get());
    *program = made.release();
    return NVVM_SUCCESS;
  } catch (const std::bad_alloc&) {
    return NVVM_ERROR_OUT_OF_MEMORY;
  }
}

nvvmResult nvvmDestroyProgram(nvvmProgram* program) {
  if (!program || !isAlive(*program)) return NVVM_ERROR_INVALID_PROGRAM;
  const std::lock_guard lock(programsMutex);
  programs().erase(*program);
  delete *program;
  *program = nullptr;
  return NVVM_SUCCESS;
}

nvvmResult nvvmAddModuleToProgram(nvvmProgram program, const char* buffer, size_t size, const char* name) {
  return add(program, buffer, size, name, false);
}

nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram program, const char* buffer, size_t size, const char* name) {
  return add(program, buffer, size, name, true);
}

nvvmResult nvvmVerifyProgram(nvvmProgram program, int optionCount, const char** options) {
  const bool valid = optionCount >= 0 && (optionCount == 0 || options);
  return withProgram(program, valid, [&] { return verify(*program, {options, options + optionCount}); });
}

nvvmResult nvvmCompileProgram(nvvmProgram program, int optionCount, const char** options) {
  const bool valid = optionCount >= 0 && (optionCount == 0 || options);
  return withProgram(program, valid, [&] { return compile(*program, {options, options + optionCount}); });
}

nvvmResult nvvmGetCompiledResultSize(nvvmProgram program, size_t* size) {
  return withProgram(program, size, [&] {
    *size = program->ptx.size() + 1;
    return program->compiled ? NVVM_SUCCESS : NVVM_ERROR_INVALID_PROGRAM;
  });
}

nvvmResult nvvmGetCompiledResult(nvvmProgram program, char* ptx) {
  return withProgram(program, ptx, [&] { return program->compiled ? give(ptx, program->ptx) : NVVM_ERROR_INVALID_PROGRAM; });
}

nvvmResult nvvmGetProgramLogSize(nvvmProgram program, size_t* size) {
  return withProgram(program, size, [&] {
    *size = program->log.size() + 1;
    return NVVM_SUCCESS;
  });
}

nvvmResult nvvmGetProgramLog(nvvmProgram program, char* log) {
  return withProgram(program, log, [&] { return give(log, program->log); });
}
