// Textures and surfaces.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void textureFetch(Grid& grid, const Issue& issue);
void textureQuery(Grid& grid, const Issue& issue);
void surfaceAccess(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
