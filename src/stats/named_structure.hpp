// Makes AnyStatistics of a statistics structure.
#pragma once

#include <utility>

#include "stats/conservation.hpp"
#include "stats/json_fields.hpp"
#include "stats/named_statistics.hpp"

namespace warpwright::stats {

template <Statistics S>
class Structure final : public AnyStatistics {
 public:
  explicit Structure(S statistics) : statistics_(std::move(statistics)) {}

  const S& value() const { return statistics_; }
  std::unique_ptr<AnyStatistics> clone() const override { return std::make_unique<Structure>(statistics_); }
  void merge(const AnyStatistics& other) override { stats::merge(statistics_, valueOf(other)); }
  std::unique_ptr<AnyStatistics> delta(const AnyStatistics& earlier) const override {
    return std::make_unique<Structure>(stats::delta(statistics_, valueOf(earlier)));
  }

  void write(JsonWriter& to) const override {
    writeFields(to, statistics_);
    if constexpr (kHasFigures) {
      to.open("figures");
      forEachFigure([&](const Number& number) { to.add(number.name, number.value); });
      to.close();
    }
  }

  void forEachNumber(const std::function<void(const Number&)>& visit) const override {
    visitNumbers(statistics_, "", visit);
    forEachFigure(visit);
  }

  void checkLaws(Conservation& laws) const override {
    if constexpr (requires { check(statistics_, laws); }) check(statistics_, laws);
  }

 private:
  static constexpr bool kHasFigures = requires {
    S::figures([](auto&&...) {});
  };

  static const S& valueOf(const AnyStatistics& other) { return static_cast<const Structure&>(other).statistics_; }

  template <class T>
  static void visitNumbers(const T& structure, const std::string& prefix, const std::function<void(const Number&)>& visit) {
    stats::forEachField<T>([&](const auto& field) {
      const auto& member = structure.*field.member;
      using Member = std::remove_cvref_t<decltype(member)>;
      const std::string name = prefix + std::string(field.name);
      if constexpr (std::is_same_v<Member, u64>) visit({name, field.unit, field.text, static_cast<double>(member)});
      if constexpr (std::is_same_v<Member, Peak>) visit({name, field.unit, field.text, static_cast<double>(member.value)});
      if constexpr (Statistics<Member>) visitNumbers(member, name + ".", visit);
    });
  }

  void forEachFigure(const std::function<void(const Number&)>& visit) const {
    if constexpr (kHasFigures) {
      S::figures([&](std::string_view name, std::string_view unit, std::string_view text, auto&& value) {
        visit({std::string(name), unit, text, value(statistics_)});
      });
    }
  }

  S statistics_;
};

}  // namespace warpwright::stats
