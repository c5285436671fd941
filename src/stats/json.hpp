// Statistics as JSON and CSV: for reports only, as the library's header is slow to compile.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stats/enum_vector.hpp"
#include "stats/formula.hpp"
#include "stats/histogram.hpp"
#include "stats/json_type.hpp"
#include "stats/named_statistics.hpp"
#include "stats/statistics.hpp"

namespace warpwright::stats {

inline Json toJson(u64 value) { return value; }
inline Json toJson(Peak value) { return value.value; }
inline Json toJson(Ratio value) { return value ? Json(*value) : Json(nullptr); }

template <class E, std::size_t N>
Json toJson(const EnumVector<E, N>& vector) {
  Json result = Json::object();
  for (std::size_t i = 0; i < N; ++i) result[std::string(name(static_cast<E>(i)))] = vector[static_cast<E>(i)];
  return result;
}

// Empty bins are left out.
template <class Scale, std::size_t N>
Json toJson(const Histogram<Scale, N>& histogram) {
  Json bins = Json::object();
  for (std::size_t i = 0; i < N; ++i) {
    if (histogram[i] != 0) bins[Histogram<Scale, N>::label(i)] = histogram[i];
  }
  return Json{{"count", histogram.count()}, {"sum", histogram.sum()}, {"mean", toJson(histogram.mean())}, {"bins", std::move(bins)}};
}

template <class T>
bool isLeftOut(const T&) {
  return false;
}
inline bool isLeftOut(const NamedStatistics& statistics) { return statistics.empty(); }

// An object with one member a field, in the order of the list; without NamedStatistics that hold nothing.
template <Statistics S>
Json toJson(const S& statistics) {
  Json result = Json::object();
  forEachField<S>([&](const auto& each) {
    if (!isLeftOut(statistics.*each.member)) result[std::string(each.name)] = toJson(statistics.*each.member);
  });
  return result;
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
