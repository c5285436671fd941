// What must be the same on both sides for objects to be handed across: the package, what it is compiled from, the compiler, the language,
// the libraries whose types are in the interface.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plugins/abi_hash.hpp"

#define WARPWRIGHT_TEXT_OF(value) #value
#define WARPWRIGHT_TEXT(value) WARPWRIGHT_TEXT_OF(value)

#ifdef __clang__
#define WARPWRIGHT_PLUGIN_COMPILER "clang " WARPWRIGHT_TEXT(__clang_major__)
#else
#define WARPWRIGHT_PLUGIN_COMPILER "gcc " WARPWRIGHT_TEXT(__GNUC__)
#endif

#ifdef _GLIBCXX_DEBUG
#define WARPWRIGHT_PLUGIN_CONTAINERS " with debug containers"
#else
#define WARPWRIGHT_PLUGIN_CONTAINERS ""
#endif

#define WARPWRIGHT_PLUGIN_ABI                                                                                               \
  "warpwright " WARPWRIGHT_PLUGIN_VERSION " " WARPWRIGHT_PLUGIN_HASH ", " WARPWRIGHT_PLUGIN_COMPILER                        \
  ", libstdc++ " WARPWRIGHT_TEXT(_GLIBCXX_RELEASE) "/" WARPWRIGHT_TEXT(_GLIBCXX_USE_CXX11_ABI) WARPWRIGHT_PLUGIN_CONTAINERS \
      ", C++ " WARPWRIGHT_TEXT(__cplusplus) ", json " WARPWRIGHT_TEXT(NLOHMANN_JSON_VERSION_MAJOR) "." WARPWRIGHT_TEXT(     \
          NLOHMANN_JSON_VERSION_MINOR)
