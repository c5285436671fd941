// What a program asks and sets of a kernel's clusters, in either API.
#pragma once

#include <optional>

#include "exec/launch.hpp"

namespace warpwright::cudart {

struct ClusterSettings {
  Dim3 required{0, 0, 0};    // of a launch that says nothing; 0: none were set
  bool nonPortable = false;  // clusters may have more blocks than every machine allows
};

// The numbers of cudaFuncAttribute and of CUfunction_attribute.
enum class ClusterAttribute : int {
  mustBeSet = 10,
  requiredWidth = 11,
  requiredHeight = 12,
  requiredDepth = 13,
  nonPortable = 14,
  schedulingPolicy = 15,
};

// The cluster that a launch gets which says nothing; 0: none.
inline Dim3 requiredCluster(const isa::Function& kernel, const ClusterSettings& settings) {
  return kernel.requiredCluster.count() > 0 ? kernel.requiredCluster : settings.required;
}

// None for what is about something else.
inline std::optional<int> valueOf(const isa::Function& kernel, const ClusterSettings& settings, ClusterAttribute attribute) {
  const Dim3 required = requiredCluster(kernel, settings);
  switch (attribute) {
    case ClusterAttribute::mustBeSet:
      return kernel.explicitCluster ? 1 : 0;
    case ClusterAttribute::requiredWidth:
      return static_cast<int>(required.x);
    case ClusterAttribute::requiredHeight:
      return static_cast<int>(required.y);
    case ClusterAttribute::requiredDepth:
      return static_cast<int>(required.z);
    case ClusterAttribute::nonPortable:
      return settings.nonPortable ? 1 : 0;
    case ClusterAttribute::schedulingPolicy:
      return 0;
  }
  return std::nullopt;
}

// False: it cannot be set, or not to that. What is compiled into the kernel stays. Policies of scheduling are about time.
inline bool setAttribute(const isa::Function& kernel, ClusterSettings& settings, ClusterAttribute attribute, int value) {
  const bool mayRequire = value >= 0 && kernel.requiredCluster.count() == 0;
  switch (attribute) {
    case ClusterAttribute::requiredWidth:
      if (mayRequire) settings.required.x = static_cast<u32>(value);
      return mayRequire;
    case ClusterAttribute::requiredHeight:
      if (mayRequire) settings.required.y = static_cast<u32>(value);
      return mayRequire;
    case ClusterAttribute::requiredDepth:
      if (mayRequire) settings.required.z = static_cast<u32>(value);
      return mayRequire;
    case ClusterAttribute::nonPortable:
      if (value == 0 || value == 1) settings.nonPortable = value == 1;
      return value == 0 || value == 1;
    case ClusterAttribute::schedulingPolicy:
      return value >= 0 && value <= 2;
    case ClusterAttribute::mustBeSet:
      break;
  }
  return false;
}

}  // namespace warpwright::cudart
