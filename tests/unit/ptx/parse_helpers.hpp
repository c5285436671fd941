// Small PTX texts for the tests of the parser.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "ptx/parser.hpp"

namespace warpwright::ptx {

inline constexpr const char* kPreamble = ".version 7.0\n.target sm_70\n.address_size 64\n";
inline constexpr u32 kPreambleLines = 3;

// A module with the given declarations behind the usual preamble.
inline Module parseModule(const std::string& declarations) { return parse(kPreamble + declarations, "test.ptx"); }

// A kernel `k` with registers of every kind around the statements, which begin on line kFirstBodyLine.
inline std::string kernelText(const std::string& statements) {
  return std::string(kPreamble) +
         ".global .align 8 .b8 g[64]; .const .align 4 .u32 c[4]; .shared .align 4 .u32 s[4];\n"
         ".visible .entry k(.param .u64 a, .param .align 8 .b8 b[16]) {\n"
         ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .f16 %h<9>;\n" +
         statements + "\nret;\n}\n";
}
inline constexpr u32 kFirstBodyLine = kPreambleLines + 4;

inline Function parseKernel(const std::string& statements) { return parse(kernelText(statements), "test.ptx").functions.at(0); }

// The one instruction of a kernel body.
inline Instruction parseOne(const std::string& instruction) { return parseKernel(instruction).body.at(0); }

inline std::string registerName(const Function& function, const Operand& operand) { return function.registers.at(operand.reg).name; }

// The error that a text gives; fails the test when there is none.
inline Error errorOf(const std::string& text) {
  try {
    parse(text, "test.ptx");
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for: " << text;
  return Error("none");
}
inline Error errorInKernel(const std::string& statements) { return errorOf(kernelText(statements)); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace warpwright::ptx
