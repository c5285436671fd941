// Part of cooperative_groups.h.
#pragma once
#define _COOPERATIVE_GROUPS_SCAN_H

#include "cooperative_groups.h"
