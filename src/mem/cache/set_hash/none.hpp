#pragma once

#include "mem/cache/set_hash/set_hash.hpp"

namespace warpwright::mem {

class NoSetHash final : public SetHash {
 public:
  u64 mixed(u64 line) const override { return line; }
  bool isIdentity() const override { return true; }
};

inline constexpr SetHashEntry kNoSetHash{{.name = "none", .text = "The address bits above the line.", .source = "the plainest"},
                                         [](const std::any&, u32) -> std::unique_ptr<SetHash> { return std::make_unique<NoSetHash>(); }};

}  // namespace warpwright::mem
