// Statistics as JSON values and CSV: for reports only, as the library's header is slow to compile.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stats/json_fields.hpp"

namespace warpwright::stats {

inline Json toJson(u64 value) { return value; }
inline Json toJson(Ratio value) { return value ? Json(*value) : Json(nullptr); }

template <class E, std::size_t N>
Json toJson(const EnumVector<E, N>& vector) {
  JsonWriter writer;
  write(writer, "vector", vector);
  return writer.take()["vector"];
}

// An object with one member a field, in the order of the list; without NamedStatistics that hold nothing.
template <Statistics S>
Json toJson(const S& statistics) {
  JsonWriter writer;
  writeFields(writer, statistics);
  return writer.take();
}

// Column names and values of a flattened structure; nested names are joined by dots.
std::string csvHeader(const Json& object);
std::string csvRow(const Json& object);

template <Statistics S>
std::string csvHeader() {
  return csvHeader(toJson(S{}));
}
template <Statistics S>
std::string csvRow(const S& statistics) {
  return csvRow(toJson(statistics));
}

}  // namespace warpwright::stats
