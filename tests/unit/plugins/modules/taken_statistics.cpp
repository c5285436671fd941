// Counts under the name of another's structure.
#include "counting.hpp"

namespace {
const warpwright::mechanisms::Kind kFirst = counting::kindCalled("first"), kSecond = counting::kindCalled("second");
}
WARPWRIGHT_PLUGIN("taken-statistics", "1.0", [](warpwright::plugins::Registrar& to) {
  to.add(kFirst);
  to.add(kSecond);
})
