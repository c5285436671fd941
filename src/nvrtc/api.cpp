// The functions of NVRTC.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>

#include "program.hpp"

using namespace warpwright::nvrtc;

namespace {

// Architectures for which clang makes PTX that the simulator runs.
constexpr int kArchitectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

std::mutex programsMutex;

std::set<nvrtcProgram>& programs() {
  static auto* const all = new std::set<nvrtcProgram>;
  return *all;
}

bool isAlive(nvrtcProgram program) {
  const std::lock_guard lock(programsMutex);
  return programs().contains(program);
}

// Body: nvrtcResult().
template <typename Body>
nvrtcResult withProgram(nvrtcProgram program, bool argumentsValid, Body&& body) {
  if (!isAlive(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!argumentsValid) return NVRTC_ERROR_INVALID_INPUT;
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    program->log = error.what();
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

nvrtcResult giveText(char* to, const std::string& text) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

std::string withoutBlanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  static constexpr const char* kNames[] = {
      "NVRTC_SUCCESS",
      "NVRTC_ERROR_OUT_OF_MEMORY",
      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
      "NVRTC_ERROR_INVALID_INPUT",
      "NVRTC_ERROR_INVALID_PROGRAM",
      "NVRTC_ERROR_INVALID_OPTION",
      "NVRTC_ERROR_COMPILATION",
      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
      "NVRTC_ERROR_INTERNAL_ERROR",
      "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
  };
  const auto index = static_cast<std::size_t>(result);
  return index < std::size(kNames) ? kNames[index] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = WARPWRIGHT_NVRTC_MAJOR;
  *minor = WARPWRIGHT_NVRTC_MINOR;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = static_cast<int>(std::size(kArchitectures));
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (!architectures) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(std::begin(kArchitectures), std::end(kArchitectures), architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headerCount, const char* const* headers,
                               const char* const* includeNames) {
  if (!program || !source || headerCount < 0) return NVRTC_ERROR_INVALID_INPUT;
  if (headerCount > 0 && (!headers || !includeNames)) return NVRTC_ERROR_INVALID_INPUT;
  try {
    auto made = std::make_unique<_nvrtcProgram>();
    made->source = source;
    made->name = name && *name ? name : "default_program";
    for (int i = 0; i < headerCount; ++i) made->headers.emplace(includeNames[i], headers[i]);
    const std::lock_guard lock(programsMutex);
    programs().insert(made.get());
    *program = made.release();
    return NVRTC_SUCCESS;
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program || !isAlive(*program)) return NVRTC_ERROR_INVALID_PROGRAM;
  const std::lock_guard lock(programsMutex);
  programs().erase(*program);
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount, const char* const* options) {
  const bool valid = optionCount >= 0 && (optionCount == 0 || options);
  return withProgram(program, valid, [&] { return compile(*program, std::vector<std::string>(options, options + optionCount)); });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
  return withProgram(program, size, [&] {
    *size = program->ptx.size() + 1;
    return program->compiled ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
  });
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  return withProgram(program, ptx, [&] { return program->compiled ? giveText(ptx, program->ptx) : NVRTC_ERROR_INVALID_PROGRAM; });
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  return withProgram(program, size, [&] {
    *size = program->realArchitecture ? program->ptx.size() + 1 : 0;
    return program->compiled ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
  });
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  return withProgram(program, cubin, [&] {
    return program->compiled && program->realArchitecture ? giveText(cubin, program->ptx) : NVRTC_ERROR_INVALID_PROGRAM;
  });
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  return withProgram(program, size, [&] {
    *size = program->log.size() + 1;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return withProgram(program, log, [&] { return giveText(log, program->log); });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  return withProgram(program, expression, [&] {
    if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program->expressions.push_back(expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** loweredName) {
  return withProgram(program, expression && loweredName, [&] {
    if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (const auto& [known, name] : program->loweredNames) {
      if (withoutBlanks(known) != withoutBlanks(expression)) continue;
      *loweredName = name.c_str();
      return NVRTC_SUCCESS;
    }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  });
}
