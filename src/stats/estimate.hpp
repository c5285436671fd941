// Sums of which only a part was measured, with intervals of 95 % confidence.
#pragma once

#include <limits>
#include <span>

#include "stats/proportion.hpp"

namespace warpwright::stats {

inline constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Estimate {
  double value = 0;
  double variance = 0;        // of its error; infinite: nothing is known of it
  double degrees = kEndless;  // of freedom of that variance
  bool isPredicted = false;   // of parts that were not measured, even if no spread was seen of which there would be a variance

  bool isExact() const { return variance == 0 && !isPredicted; }
  // Half the width of the interval; infinite where nothing is known.
  double error() const;
  // Of the value; of 0 that is exact, 0.
  double relativeError() const;
  // Never below 0, as what is estimated are amounts.
  Interval interval() const;
};

// The sum of two whose errors have nothing to do with one another. Its degrees of freedom are those of Welch and Satterthwaite.
Estimate operator+(const Estimate& one, const Estimate& other);

// One part of the whole: its size, which is known of all parts and above 0, and what was measured, which may be an estimate in its turn.
struct Measurement {
  double size = 0;
  Estimate value;
};

// The values of further parts, of which only the sum of their sizes is known, by the ratio of values to sizes of those measured. Its error
// is that of the prediction where the spread of parts grows with their size (Royall, "On finite population sampling theory under certain
// linear regression models", Biometrika 57, 1970); for parts of equal size it is that of simple random sampling without replacement.
// With one part measured the variance is infinite, with none the value is 0 as well. A rest of size 0 is 0, exactly.
Estimate predictRest(std::span<const Measurement> measured, double size);

// A part that was measured, and the size of those that were not and go like it.
struct Representative : Measurement {
  double others = 0;
};

// The values of those others, each by the ratio of value to size of the part that it goes like: for parts that come in an order, and are
// like those near them. The spread is that of all parts measured, as above. Where each of them stands for others in proportion to its size
// the prediction is that of predictRest. None measured: 0, exactly.
Estimate predictOthers(std::span<const Representative> representatives);
// Those measured, and all that go like them.
Estimate predictWhole(std::span<const Representative> representatives);

}  // namespace warpwright::stats
