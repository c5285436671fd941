// Builds a JSON object member by member, for code that need not know the JSON library, whose header is slow to compile.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/types.hpp"
#include "stats/formula.hpp"
#include "stats/json_type.hpp"

namespace warpwright::stats {

class JsonWriter {
 public:
  JsonWriter();
  ~JsonWriter();
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  // What is added from here to close() are members of a new object, which is a member of the one at hand.
  void open(std::string_view name);
  void close();
  // Members of the object at hand, in the order of the calls.
  void add(std::string_view name, u64 value);
  void add(std::string_view name, std::span<const u64> values);  // an array
  void add(std::string_view name, Ratio value);                  // null without a value
  // The outermost object; the writer is of no use afterwards.
  Json take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwright::stats
