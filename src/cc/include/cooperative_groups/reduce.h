// Part of cooperative_groups.h.
#pragma once
#define _COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"
