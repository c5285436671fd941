// The one exception type for everything a user can get wrong. It carries a position, a cause and a remedy.
#pragma once

#include <stdexcept>
#include <string>

#include "base/types.hpp"

namespace warpwright {

// A position in a text that the user wrote. Line and column count from 1; 0 means unknown.
struct SourcePosition {
  std::string file;
  u32 line = 0;
  u32 column = 0;

  // "file:line:column", without the parts that are unknown; empty when nothing is known.
  std::string text() const;
};

// what() is "POSITION: error: MESSAGE" and, when there is a remedy, a second line "  remedy: REMEDY".
class Error : public std::runtime_error {
 public:
  explicit Error(std::string message, SourcePosition where = {}, std::string remedy = {});

  const std::string& message() const { return message_; }
  const SourcePosition& where() const { return where_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string message_;
  SourcePosition where_;
  std::string remedy_;
};

}  // namespace warpwright
