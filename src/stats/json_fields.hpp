// How statistics become JSON: each kind of member in one place.
#pragma once

#include <string_view>

#include "stats/enum_vector.hpp"
#include "stats/histogram.hpp"
#include "stats/json_writer.hpp"
#include "stats/named_statistics.hpp"
#include "stats/statistics.hpp"
#include "stats/tally.hpp"

namespace warpwright::stats {

// write(): as a member of the object at hand.
inline void write(JsonWriter& to, std::string_view name, u64 value) { to.add(name, value); }
inline void write(JsonWriter& to, std::string_view name, Peak value) { to.add(name, value.value); }
inline void write(JsonWriter& to, std::string_view name, Ratio value) { to.add(name, value); }

// Left out where nothing was counted.
inline void write(JsonWriter& to, std::string_view name, const Tally& tally) {
  if (!tally.counts().empty()) to.add(name, std::span<const u64>(tally.counts()));
}

template <class E, std::size_t N>
void write(JsonWriter& to, std::string_view member, const EnumVector<E, N>& vector) {
  to.open(member);
  for (std::size_t i = 0; i < N; ++i) to.add(name(static_cast<E>(i)), vector[static_cast<E>(i)]);
  to.close();
}

// Empty bins are left out.
template <class Scale, std::size_t N>
void write(JsonWriter& to, std::string_view name, const Histogram<Scale, N>& histogram) {
  to.open(name);
  to.add("count", histogram.count());
  to.add("sum", histogram.sum());
  to.add("mean", histogram.mean());
  to.open("bins");
  for (std::size_t i = 0; i < N; ++i) {
    if (histogram[i] != 0) to.add(Histogram<Scale, N>::label(i), histogram[i]);
  }
  to.close();
  to.close();
}

// Left out where nothing has a name.
inline void write(JsonWriter& to, std::string_view name, const NamedStatistics& statistics) {
  if (statistics.empty()) return;
  to.open(name);
  statistics.write(to);
  to.close();
}

// The members of a structure, in the order of its list.
template <Statistics S>
void writeFields(JsonWriter& to, const S& statistics);

template <Statistics S>
void write(JsonWriter& to, std::string_view name, const S& statistics) {
  to.open(name);
  writeFields(to, statistics);
  to.close();
}

template <Statistics S>
void writeFields(JsonWriter& to, const S& statistics) {
  forEachField<S>([&](const auto& each) { write(to, each.name, statistics.*each.member); });
}

}  // namespace warpwright::stats
