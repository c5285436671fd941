#include <cstdlib>
#include <warpwright/plugin.hpp>

extern "C" __attribute__((visibility("default"))) const warpwright::plugins::Plugin* warpwright_plugin() {
  static constexpr warpwright::plugins::Plugin plugin{42, nullptr, nullptr, nullptr, [](warpwright::plugins::Registrar&) { std::abort(); }};
  return &plugin;
}
