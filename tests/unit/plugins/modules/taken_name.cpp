#include "counting.hpp"

namespace {
const warpwright::mechanisms::Kind kKind = counting::kindCalled("avc");
}
WARPWRIGHT_PLUGIN("taken-name", "1.0", [](warpwright::plugins::Registrar& to) { to.add(kKind); })
