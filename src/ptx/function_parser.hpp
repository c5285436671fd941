// .entry and .func.
#pragma once

#include "ptx/context.hpp"

namespace warpwright::ptx {

// A declaration or definition; the cursor is at .entry or .func.
void parseFunction(Context& context, Linkage linkage);

// The statements of a body, its braces included, into context.function.
void parseBody(Context& context);

// ".loc …" and ".file …", which may stand at module scope and in bodies; the cursor is behind the directive.
void parseLocation(Context& context);
void parseFile(Context& context);

// ".pragma "…", …;" anywhere; the cursor is behind the directive.
void parsePragma(Context& context, std::vector<Pragma>& pragmas, u32 position = kNoIndex);

}  // namespace warpwright::ptx
