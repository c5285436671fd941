// The commands of a program, in their order: kernelslist.g.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/types.hpp"
#include "sass/line_reader.hpp"

namespace warpwright::sass {

// From the host to the device.
struct HostCopy {
  GlobalAddress address;
  u64 bytes = 0;
};

struct KernelFile {
  std::string name;  // as the list has it
  std::string path;
};

using TraceCommand = std::variant<HostCopy, KernelFile>;

struct TraceList {
  std::string name;  // of its file
  std::vector<TraceCommand> commands;
};

// Of a folder with a kernelslist.g, of such a list, or of one kernel's trace. Throws Error where there is none, or where a line is none
// that a tracer writes.
TraceList findTraces(const std::string& path);
// Of the list; kernels lie in the folder.
std::vector<TraceCommand> readList(LineReader& lines, const std::string& folder);

}  // namespace warpwright::sass
