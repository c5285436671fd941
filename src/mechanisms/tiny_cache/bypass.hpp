// What goes past the caches: of a machine, and of single kernels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "config/field.hpp"
#include "exec/launch.hpp"

namespace warpwright::mechanisms::tiny_cache {

// Accesses that go past the caches (figure 8 of the paper).
enum class Bypass : u8 { none, global, shared, all };

constexpr bool passesGlobal(Bypass bypass) { return bypass == Bypass::global || bypass == Bypass::all; }
constexpr bool passesShared(Bypass bypass) { return bypass == Bypass::shared || bypass == Bypass::all; }

struct KernelBypass {
  std::string kernel;  // as the program names it, or PTX
  Bypass bypass = Bypass::none;
};

// "saxpy=all, convolve=shared"; nothing: it is not written so.
std::optional<std::vector<KernelBypass>> kernelBypasses(std::string_view text);
// Whether it is this kernel of PTX.
bool isOf(const KernelBypass& choice, const std::string& kernel);
// What the program asks for by cudaFuncSetCacheConfig: that the caches be for shared memory, for global memory, for both.
std::optional<Bypass> askedFor(exec::CachePreference preference);

}  // namespace warpwright::mechanisms::tiny_cache

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 4> kNamesOf<mechanisms::tiny_cache::Bypass> = {"none", "global", "shared", "all"};

}  // namespace warpwright::config
