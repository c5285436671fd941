// Student's t distribution, for intervals of confidence from few measurements.
#pragma once

namespace warpwright::stats {

// The t that 97.5 % of the values stay below: half the width of an interval of 95 %, in standard errors. degrees: of freedom, above 0,
// not necessarily whole; infinity gives the quantile of the normal distribution.
double studentQuantile(double degrees);

}  // namespace warpwright::stats
