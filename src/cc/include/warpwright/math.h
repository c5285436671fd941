// The device math library: every function in single and double precision, in namespace warpwright::math.
#pragma once

#include "warpwright/math/bessel.h"
#include "warpwright/math/error_function.h"
#include "warpwright/math/exponential.h"
#include "warpwright/math/gamma.h"
#include "warpwright/math/hyperbolic.h"
#include "warpwright/math/inverse_trigonometric.h"
#include "warpwright/math/logarithm.h"
#include "warpwright/math/power.h"
#include "warpwright/math/remainder.h"
#include "warpwright/math/roots.h"
#include "warpwright/math/trigonometric.h"
