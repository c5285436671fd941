#include <warpwright/plugin.hpp>

WARPWRIGHT_PLUGIN("throws", "1.0", [](warpwright::plugins::Registrar&) { throw warpwright::Error("not today", {}, "come back tomorrow"); })
