// Built against another simulator; what it would register would end the process.
#include <cstdlib>
#include <warpwright/plugin.hpp>

extern "C" __attribute__((visibility("default"))) const warpwright::plugins::Plugin* warpwright_plugin() {
  static constexpr warpwright::plugins::Plugin plugin{warpwright::plugins::kMagic, "warpwright 0.0.9 of another day", "altered", "1.0",
                                                      [](warpwright::plugins::Registrar&) { std::abort(); }};
  return &plugin;
}
