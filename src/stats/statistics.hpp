// What a statistics structure needs. Such a structure lists its members once,
//
//   struct Traffic {
//     u64 requests = 0, sectors = 0;
//     static constexpr void fields(auto&& field) {
//       field("requests", "requests", "warp-wide accesses", &Traffic::requests);
//       field("sectors", "sectors", "32 B pieces moved", &Traffic::sectors);
//     }
//   };
//
// and from this list come reset, merge and delta, and with stats/json.hpp JSON and CSV. Members are u64 counters, Peak, EnumVector,
// Histogram, Tally, NamedStatistics or structures that have such a list themselves.
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace warpwright::stats {

template <class S, class T>
struct Field {
  std::string_view name, unit, text;
  T S::*member;
};

// Takes a field and does nothing with it.
struct IgnoreField {
  template <class S, class T>
  constexpr void operator()(std::string_view, std::string_view, std::string_view, T S::*) const {}
};

template <class S>
concept Statistics = requires {
  S::fields(IgnoreField{});
};

// Calls visit(field) for each field of S.
template <Statistics S, class Visit>
constexpr void forEachField(Visit&& visit) {
  S::fields([&]<class T>(std::string_view name, std::string_view unit, std::string_view text, T S::*member) {
    visit(Field<S, T>{name, unit, text, member});
  });
}

// A value of which the largest counts, not the sum.
struct Peak {
  u64 value = 0;
  void observe(u64 candidate) { value = candidate > value ? candidate : value; }
  bool operator==(const Peak&) const = default;
};

inline void merge(u64& into, u64 from) { into += from; }
inline void merge(Peak& into, Peak from) { into.observe(from.value); }
// later - earlier, of a counter that only grows. A peak has no difference: it stays the later one.
inline u64 delta(u64 later, u64 earlier) { return later - earlier; }
inline Peak delta(Peak later, Peak) { return later; }

template <Statistics S>
void reset(S& statistics) {
  statistics = S{};
}

template <Statistics S>
void merge(S& into, const S& from) {
  forEachField<S>([&](const auto& each) { merge(into.*each.member, from.*each.member); });
}

template <Statistics S>
S delta(const S& later, const S& earlier) {
  S result;
  forEachField<S>([&](const auto& each) { result.*each.member = delta(later.*each.member, earlier.*each.member); });
  return result;
}

}  // namespace warpwright::stats
