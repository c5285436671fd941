// Surfaces through references: the same functions as through objects.
#pragma once

#include "surface_indirect_functions.h"
