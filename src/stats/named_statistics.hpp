// Statistics structures by name, for parts that the reader of the statistics does not know: what mechanisms count. A structure S may also
// list figures made of its counters,
//
//   static constexpr void figures(auto&& figure) {
//     figure("hit_rate", "share of accesses", "answered by the cache", [](const S& s) { return stats::ratio(s.hits, s.accesses); });
//   }
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "stats/formula.hpp"
#include "stats/json_type.hpp"
#include "stats/statistics.hpp"

namespace warpwright::stats {

class Conservation;
class JsonWriter;

// One structure, whatever its type; stats/named_structure.hpp makes it.
class AnyStatistics {
 public:
  // A number of the structure; nested names are joined by dots.
  struct Number {
    std::string name;
    std::string_view unit, text;
    Ratio value;
  };

  virtual ~AnyStatistics() = default;
  virtual std::unique_ptr<AnyStatistics> clone() const = 0;
  // The other must hold the same type.
  virtual void merge(const AnyStatistics& other) = 0;
  virtual std::unique_ptr<AnyStatistics> delta(const AnyStatistics& earlier) const = 0;
  // Its members become those of the object at hand.
  virtual void write(JsonWriter& to) const = 0;
  Json json() const;
  // Counters, peaks and figures, each with its description; distributions and counters by kind are in json() alone.
  virtual void forEachNumber(const std::function<void(const Number&)>& visit) const = 0;
  // That of the structure, `void check(const S&, Conservation&)`, if it has laws.
  virtual void checkLaws(Conservation& laws) const = 0;
};

class NamedStatistics {
 public:
  NamedStatistics() = default;
  NamedStatistics(const NamedStatistics& other);
  NamedStatistics(NamedStatistics&&) = default;
  NamedStatistics& operator=(NamedStatistics other) noexcept;

  // Merges it with what has that name.
  void add(std::string_view name, const AnyStatistics& statistics);
  bool empty() const { return parts_.empty(); }
  // Null: nothing has this name.
  const AnyStatistics* find(std::string_view name) const;
  void forEach(const std::function<void(const std::string& name, const AnyStatistics& statistics)>& visit) const;
  // A member of the object at hand for each.
  void write(JsonWriter& to) const;

  friend void merge(NamedStatistics& into, const NamedStatistics& from);
  // What `earlier` does not have counts from nothing.
  friend NamedStatistics delta(const NamedStatistics& later, const NamedStatistics& earlier);

 private:
  std::map<std::string, std::unique_ptr<AnyStatistics>, std::less<>> parts_;
};

// Names have underscores there where they have hyphens, so that expressions over metrics can name them (docs/lab.md).
Json toJson(const NamedStatistics& statistics);

}  // namespace warpwright::stats
