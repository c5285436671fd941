#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::elastic_pipeline {

extern const Kind kElasticPipeline;

}  // namespace warpwright::mechanisms::elastic_pipeline
