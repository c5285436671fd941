// The compiler commands for one input, as pure functions of options and tool chain.
#pragma once

#include <string>
#include <string_view>

#include "cc/driver/options.hpp"
#include "cc/driver/process.hpp"
#include "cc/driver/toolchain.hpp"

namespace warpwright::cc {

enum class Language { kCuda, kCxx, kC, kLinkerInput };

// What an input is, by -x or by its name. Throws Error for a name that says nothing.
Language languageOf(const Options& options, const std::string& input);

// CUDA source to PTX text.
Command deviceCommand(const Options& options, const Toolchain& tools, const std::string& input, const std::string& ptx);

// CUDA source with the PTX file embedded, or C/C++ source: to what options.stage asks for, at most an object.
// An empty `ptx` embeds nothing.
Command hostCommand(const Options& options, const Toolchain& tools, const std::string& input, Language language, const std::string& ptx,
                    const std::string& result);

// What deviceLinkSource() wrote, to an object.
Command deviceLinkCommand(const Toolchain& tools, const std::string& source, const std::string& result);

// Objects to a static library.
Command libraryCommand(const std::vector<std::string>& objects, const std::string& result);

Command linkCommand(const Options& options, const Toolchain& tools, const std::vector<std::string>& objects, const std::string& result);

// The comment lines at the head of embedded PTX that carry the options which the runtime must know:
// "// warpwright: maxrregcount=32". Empty when there is nothing to say.
std::string ptxPreamble(const Options& options, std::string_view sourceName);

}  // namespace warpwright::cc
