#include "counting.hpp"

namespace {
const warpwright::mechanisms::Kind kKind = counting::kindCalled("counting");
}
WARPWRIGHT_PLUGIN("counting", "1.2", [](warpwright::plugins::Registrar& to) { to.add(kKind); })
