#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::elastic_mshr {

extern const Kind kElasticMshr;

}  // namespace warpwright::mechanisms::elastic_mshr
