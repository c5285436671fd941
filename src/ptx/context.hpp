// What the parsers of one module share.
#pragma once

#include <unordered_map>

#include "ptx/cursor.hpp"
#include "ptx/function_context.hpp"
#include "ptx/matcher.hpp"
#include "ptx/module.hpp"

namespace warpwright::ptx {

struct Context {
  Cursor cursor;
  Module module;
  std::unordered_map<std::string_view, SymbolRef> names;             // of module scope; views into the PTX text
  FunctionContext* function = nullptr;                               // while a body is being parsed
  std::unordered_map<std::string_view, std::vector<Match>> matches;  // by opcode word: most words occur often

  // A name seen from the scope at hand: inside the function first, then at module scope.
  std::optional<Name> find(std::string_view name);
  const std::vector<Match>& matchesOf(std::string_view word);

  [[noreturn]] void fail(const Token& where, std::string message, std::string remedy = {}) const {
    cursor.fail(where, std::move(message), std::move(remedy));
  }
};

}  // namespace warpwright::ptx
