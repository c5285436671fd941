// Surface references: module variables that the host binds to arrays.
#pragma once
#define __SURFACE_TYPES_H__

#include "cuda_array_types.h"

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
