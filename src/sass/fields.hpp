// The fields of a line, which blanks separate.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "base/types.hpp"

namespace warpwright::sass {

class Fields {
 public:
  // where: the line. Both must outlive the fields.
  Fields(std::string_view line, const SourcePosition& where) : line_(line), where_(where) {}

  // Whether blanks alone are left.
  bool atEnd();
  // The next field. `what` says in messages what it is. These throw Error where it is missing, is no such number, or one above `most`.
  std::string_view word(std::string_view what);
  u64 decimal(std::string_view what, u64 most = ~u64{0});
  u64 hexadecimal(std::string_view what, u64 most = ~u64{0});  // with or without 0x
  s64 integer(std::string_view what);                          // may be negative
  u8 registerNumber(std::string_view what);                    // R0 … R255

  // Where the next field begins, in the line, and where the one that was read last ends.
  std::size_t nextBegin() {
    atEnd();
    return position_;
  }
  std::size_t lastEnd() const { return position_; }
  // Throws Error at the field that was read last.
  [[noreturn]] void fail(const std::string& message, const std::string& remedy) const;

 private:
  [[noreturn]] void failNumber(std::string_view what, std::string_view word) const;

  std::string_view line_;
  const SourcePosition& where_;
  std::size_t position_ = 0, last_ = 0;
};

}  // namespace warpwright::sass
