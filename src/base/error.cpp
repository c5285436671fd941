#include "base/error.hpp"

#include <utility>

namespace warpwright {

std::string SourcePosition::text() const {
  std::string result = file;
  if (line == 0) return result;
  if (!result.empty()) result += ':';
  result += std::to_string(line);
  if (column != 0) result.append(1, ':').append(std::to_string(column));
  return result;
}

namespace {

std::string render(const std::string& message, const SourcePosition& where, const std::string& remedy) {
  const std::string position = where.text();
  std::string result = position.empty() ? "error: " + message : position + ": error: " + message;
  if (!remedy.empty()) result += "\n  remedy: " + remedy;
  return result;
}

}  // namespace

Error::Error(std::string message, SourcePosition where, std::string remedy)
    : std::runtime_error(render(message, where, remedy)),
      message_(std::move(message)),
      where_(std::move(where)),
      remedy_(std::move(remedy)) {}

}  // namespace warpwright
