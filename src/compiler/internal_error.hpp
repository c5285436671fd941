// What the compiler throws when it finds its own code wrong.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace warpwright::compiler {

// No mistake of the user's: what() is the finding, where() the position in the PTX that the wrong code was made of.
class InternalError : public std::logic_error {
 public:
  InternalError(const std::string& finding, SourcePosition where) : std::logic_error(finding), where_(std::move(where)) {}

  const SourcePosition& where() const { return where_; }

 private:
  SourcePosition where_;
};

}  // namespace warpwright::compiler
