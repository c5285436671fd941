// Everything that a workload's host side uses.
#pragma once

#include "compare.hpp"
#include "device.hpp"
#include "options.hpp"
#include "random.hpp"
#include "timing.hpp"
