// The formulas of the weather program, in SI units: water and ice in air, after Klemp and Wilhelmson ("The Simulation of Three-Dimensional
// Convective Storm Dynamics", J. Atmos. Sci. 1978: vapour, cloud and rain) and Lin, Farley and Orville ("Bulk Parameterization of the
// Snow Field in a Cloud Model", J. Climate Appl. Meteor. 1983: snow).
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace weather {

constexpr float kGravity = 9.81f, kHeatCapacity = 1004.0f, kGasConstant = 287.0f;  // m/s^2, J/(kg K) of dry air
constexpr float kVaporisation = 2.5e6f, kFusion = 3.34e5f;                         // latent heats, J/kg
constexpr float kFreezing = 273.15f, kAllIce = 233.15f;                            // K; between them, part of what condenses is ice
constexpr float kSurfacePressure = 1.0e5f, kSurfaceDensity = 1.2f;                 // Pa, kg/m^3

// What is advected: potential temperature (K), and kg of water of each kind in a kg of air.
enum Field { kTheta, kVapour, kCloud, kRain, kIce, kSnow, kFields };

__host__ __device__ inline float exner(float pressure) { return powf(pressure / kSurfacePressure, kGasConstant / kHeatCapacity); }

// The vapour that a kg of air can hold.
__host__ __device__ inline float saturation(float pressure, float temperature) {
  return 380.0f / pressure * expf(17.27f * (temperature - 273.0f) / (temperature - 36.0f));
}

// Vapour above saturation condenses only in part, as that heats the air.
__host__ __device__ inline float heatingDivisor(float saturated, float temperature) {
  const float difference = temperature - 36.0f;
  return 1.0f + saturated * (17.27f * 237.0f * kVaporisation / kHeatCapacity) / (difference * difference);
}

__host__ __device__ inline float iceShare(float temperature) {
  return fminf(fmaxf((kFreezing - temperature) / (kFreezing - kAllIce), 0.0f), 1.0f);
}

// Cloud water that turns into rain in `step` seconds, by itself and caught by drops.
__host__ __device__ inline float rainGrowth(float cloud, float rain, float step) {
  const float kept = cloud - step * 0.001f * fmaxf(cloud - 0.001f, 0.0f);
  return cloud - kept / (1.0f + step * 2.2f * powf(rain, 0.875f));
}

__host__ __device__ inline float snowGrowth(float ice, float temperature, float step) {
  return step * 0.001f * expf(0.025f * fminf(temperature - kFreezing, 0.0f)) * fmaxf(ice - 0.001f, 0.0f);
}

// Rain that evaporates in `step` seconds in air of which `saturated - vapour` is missing.
__host__ __device__ inline float evaporation(float vapour, float saturated, float rain, float pressure, float density, float step) {
  const float perVolume = 0.001f * density * rain;  // g/cm^3
  const float ventilation = (1.6f + 124.9f * powf(perVolume, 0.2046f)) * powf(perVolume, 0.525f);
  const float rate = ventilation / (2.55e8f / (pressure * saturated) + 5.4e5f);
  return step * rate * fmaxf(saturated - vapour, 0.0f) / (0.001f * density * saturated);
}

__host__ __device__ inline float rainSpeed(float rain, float density) {
  return 36.34f * powf(0.001f * density * rain, 0.1364f) * sqrtf(kSurfaceDensity / density);
}

// Flakes fall at about 1 m/s (Locatelli and Hobbs 1974).
__host__ __device__ inline float snowSpeed(float density) { return sqrtf(kSurfaceDensity / density); }

// A derivative times 12 and the spacing, third-order upwind: five values in a row, and the wind along them.
__host__ __device__ inline float upwind(float wind, float farBefore, float before, float here, float after, float farAfter) {
  const float centred = farBefore - farAfter + 8.0f * (after - before);
  const float damping = farBefore + farAfter - 4.0f * (before + after) + 6.0f * here;
  return wind * centred + fabsf(wind) * damping;
}

}  // namespace weather
