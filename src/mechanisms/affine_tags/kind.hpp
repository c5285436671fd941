// The mechanism `affine-tags`: a register file with tags for uniform and affine vectors.
#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::affine_tags {

extern const Kind kAffineTags;

}  // namespace warpwright::mechanisms::affine_tags
