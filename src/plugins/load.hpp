// Loads plug-ins: shared objects that add mechanisms to the catalogue, and policies to their families. Before the first machine is read,
// from one thread.
#pragma once

#include <deque>
#include <string>
#include <vector>

namespace warpwright::plugins {

inline constexpr const char* kVariable = "WARPWRIGHT_PLUGINS";
inline constexpr char kSeparator = ':';  // between the files of the variable

struct Loaded {
  std::string file;  // an absolute path without links
  std::string name, version;
  std::vector<std::string> mechanisms;
  std::vector<std::string> policies;  // with their families, as in "replacement policy 'bip'"
};

// Loads a plug-in, for as long as the process lives; one that is loaded already is left as it is. Throws Error when there is no such file,
// when it is no plug-in or was built against another simulator, or brings a name that exists.
void load(const std::string& file);
// Those of the variable, in their order.
void loadFromEnvironment();
// In the order in which they were loaded.
const std::deque<Loaded>& loaded();
// Which brought the mechanism; null: none.
const Loaded* bringerOf(const std::string& mechanism);
// For the variable.
std::string joined(const std::vector<std::string>& files);
std::vector<std::string> split(const std::string& joined);

}  // namespace warpwright::plugins
