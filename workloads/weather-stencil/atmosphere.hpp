// The weather that the program begins with: storms over hills. The air is that of Weisman and Klemp ("The Dependence of Numerically
// Simulated Convective Storms on Vertical Wind Shear and Buoyancy", Mon. Wea. Rev. 1982), with their profiles of temperature, humidity and
// wind.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/random.hpp"
#include "physics.hpp"

namespace weather {

struct Grid {
  int columns, rows, levels;

  size_t cells() const { return size_t(columns) * rows * levels; }
  // West to east fastest, then upwards, then south to north, as weather models lay them out.
  size_t cell(int i, int k, int j) const { return (size_t(j) * levels + k) * columns + i; }
};

// In each cell; fields one after another.
struct Atmosphere {
  std::vector<float> state, eastward, northward, upward, pressure, density, thickness;
};

struct Storm {
  float x, y, radius;
};

constexpr float kTop = 16000.0f;         // m
constexpr float kTropopause = 12000.0f;  // m; 213 K, 343 K of potential temperature
constexpr float kHill = 1000.0f;         // m

inline float soundingTheta(float height) {
  if (height <= kTropopause) return 300.0f + 43.0f * std::pow(height / kTropopause, 1.25f);
  return 343.0f * std::exp(kGravity / (kHeatCapacity * 213.0f) * (height - kTropopause));
}

inline float soundingHumidity(float height) { return height <= kTropopause ? 1.0f - 0.75f * std::pow(height / kTropopause, 1.25f) : 0.25f; }

// The air in balance: the Exner function falls by g / (cp theta) per metre.
inline float soundingPressure(float height) {
  constexpr int kSteps = 64;
  float sum = 0.0f;
  for (int i = 0; i < kSteps; ++i) sum += height / kSteps * kGravity / (kHeatCapacity * soundingTheta((i + 0.5f) * height / kSteps));
  return kSurfacePressure * std::pow(1.0f - sum, kHeatCapacity / kGasConstant);
}

// From 1 in the middle of a storm to 0 at its edge, of the storms that cover the column.
inline float strengthAt(const std::vector<Storm>& storms, int i, int j) {
  float strength = 0.0f;
  for (const Storm& storm : storms) {
    const float distance = std::hypot(i - storm.x, j - storm.y) / storm.radius;
    if (distance < 1.0f) strength = std::max(strength, std::pow(std::cos(1.5707964f * distance), 2.0f));
  }
  return strength;
}

// Layers follow the ground, thin below and thick above.
inline float faceHeight(const Grid& grid, float ground, int face) {
  return ground + (kTop - ground) * std::pow(float(face) / grid.levels, 1.5f);
}

inline void fillCell(const Grid& grid, Atmosphere& air, size_t cell, float height, float storm) {
  const size_t cells = grid.cells();
  const float pressure = soundingPressure(height), theta = soundingTheta(height) + 1.5f * storm;
  const float temperature = theta * exner(pressure), saturated = saturation(pressure, temperature);
  const float humidity = storm > 0.0f ? 1.0f : soundingHumidity(height);
  air.pressure[cell] = pressure;
  air.density[cell] = pressure / (kGasConstant * temperature);
  air.eastward[cell] = 25.0f * std::tanh(height / 3000.0f) - 10.0f;
  air.northward[cell] = 5.0f * std::cos(height / 4000.0f);
  air.upward[cell] = (2.0f * storm - 0.05f) * std::sin(3.1415927f * height / kTop);
  air.state[kTheta * cells + cell] = theta;
  air.state[kVapour * cells + cell] = std::min(0.014f, humidity * saturated);
  air.state[kCloud * cells + cell] = height > 1000.0f && height < 10000.0f ? 0.003f * storm : 0.0f;
  air.state[kRain * cells + cell] = height < 6000.0f ? 0.004f * storm * storm : 0.0f;
  air.state[kIce * cells + cell] = height > 8000.0f && height < 11000.0f ? 0.002f * storm : 0.0f;
  air.state[kSnow * cells + cell] = height > 3000.0f && height < 9000.0f ? 0.002f * storm : 0.0f;
}

inline Atmosphere makeAtmosphere(const Grid& grid, workloads::Random& random) {
  std::vector<Storm> storms(2 + grid.columns * grid.rows / 400);
  for (Storm& storm : storms) storm = {random.uniform(0, grid.columns), random.uniform(0, grid.rows), random.uniform(3.0f, 6.0f)};
  Atmosphere air;
  air.state.resize(kFields * grid.cells());
  for (std::vector<float>* field : {&air.eastward, &air.northward, &air.upward, &air.pressure, &air.density, &air.thickness})
    field->resize(grid.cells());
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i) {
      const float away = (i - 0.4f * grid.columns) / (0.15f * grid.columns);
      const float ground = kHill / (1.0f + away * away), storm = strengthAt(storms, i, j);
      for (int k = 0; k < grid.levels; ++k) {
        const float bottom = faceHeight(grid, ground, k), top = faceHeight(grid, ground, k + 1);
        air.thickness[grid.cell(i, k, j)] = top - bottom;
        fillCell(grid, air, grid.cell(i, k, j), 0.5f * (bottom + top), storm);
      }
    }
  return air;
}

}  // namespace weather
