// Bodies of a star cluster, and what host and device compute of them in the same way.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "../common/random.hpp"
#include "../common/rounded.hpp"

struct Vector {
  float x, y, z;
};

// A body, or what a part of the tree has in common: its mass and where its centre lies, and the box around its bodies.
struct Summary {
  Vector centre;
  float mass;
  Vector low, high;
};

using Key = unsigned long long;  // Morton code, number of the body: all are different

constexpr int kCodeBits = 10;  // of each coordinate
constexpr float kOpening = 0.5f;
constexpr float kSoftening = 0.05f;
constexpr float kTimeStep = 0.025f;

__host__ __device__ inline Vector lower(const Vector& a, const Vector& b) { return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)}; }
__host__ __device__ inline Vector higher(const Vector& a, const Vector& b) { return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)}; }

__host__ __device__ inline float squared(const Vector& v) {
  using workloads::plus, workloads::times;
  return plus(plus(times(v.x, v.x), times(v.y, v.y)), times(v.z, v.z));
}

__host__ __device__ inline Vector between(const Vector& from, const Vector& to) {
  using workloads::minus;
  return {minus(to.x, from.x), minus(to.y, from.y), minus(to.z, from.z)};
}

// Every third bit of the result is one of the value's, beginning with the lowest.
__host__ __device__ inline unsigned spreadBits(unsigned value) {
  value = (value | value << 16) & 0x030000ff;
  value = (value | value << 8) & 0x0300f00f;
  value = (value | value << 4) & 0x030c30c3;
  return (value | value << 2) & 0x09249249;
}

// Place along one side of the cube around all bodies, in 2^kCodeBits pieces.
__host__ __device__ inline unsigned pieceOf(float value, float low, float side) {
  using namespace workloads;
  const float piece = times(over(minus(value, low), side), float(1 << kCodeBits));
  const unsigned last = (1u << kCodeBits) - 1;
  return piece >= float(last) ? last : unsigned(piece);
}

__host__ __device__ inline Key keyOf(const Vector& position, const Vector& low, float side, int body) {
  const unsigned code = spreadBits(pieceOf(position.x, low.x, side)) | spreadBits(pieceOf(position.y, low.y, side)) << 1 |
                        spreadBits(pieceOf(position.z, low.z, side)) << 2;
  return Key{code} << 32 | unsigned(body);
}

__host__ __device__ inline float sideOf(const Vector& low, const Vector& high) {
  const Vector extent = between(low, high);
  return fmaxf(fmaxf(extent.x, extent.y), extent.z);
}

__host__ __device__ inline float centreOf(float a, float massA, float b, float massB) {
  using namespace workloads;
  return over(plus(times(a, massA), times(b, massB)), plus(massA, massB));
}

__host__ __device__ inline Summary joined(const Summary& a, const Summary& b) {
  return {{centreOf(a.centre.x, a.mass, b.centre.x, b.mass), centreOf(a.centre.y, a.mass, b.centre.y, b.mass),
           centreOf(a.centre.z, a.mass, b.centre.z, b.mass)},
          workloads::plus(a.mass, b.mass),
          lower(a.low, b.low),
          higher(a.high, b.high)};
}

// Is it so far away that its centre stands for it? Barnes and Hut's criterion, with the box's longest side.
__host__ __device__ inline bool isFar(const Summary& part, float distanceSquared) {
  const float side = sideOf(part.low, part.high);
  return workloads::times(side, side) < workloads::times(kOpening * kOpening, distanceSquared);
}

struct Bodies {
  std::vector<Vector> positions, velocities;
  std::vector<float> masses;
  int count() const { return int(masses.size()); }
};

inline Vector randomDirection(workloads::Random& random, float length) {
  const float z = random.uniform(-1.0f, 1.0f), angle = random.uniform(0.0f, 6.2831853f), r = std::sqrt(1.0f - z * z);
  return {length * r * std::cos(angle), length * r * std::sin(angle), length * z};
}

// A Plummer sphere in equilibrium, the usual model of a star cluster, drawn as Aarseth, Henon and Wielen do (Astronomy and Astrophysics,
// 1974): radii from the mass within them, of which the outermost hundredth is left out, and speeds from their distribution by rejection.
inline Bodies plummerSphere(int count, workloads::Random& random) {
  Bodies bodies;
  for (int body = 0; body < count; ++body) {
    const float within = random.uniform(1e-4f, 0.99f);
    const float radius = 1.0f / std::sqrt(std::pow(within, -2.0f / 3.0f) - 1.0f);
    float share = 0.0f, height = 1.0f;  // of the speed of escape
    while (height > share * share * std::pow(1.0f - share * share, 3.5f)) {
      share = random.uniform();
      height = random.uniform(0.0f, 0.1f);
    }
    bodies.positions.push_back(randomDirection(random, radius));
    bodies.velocities.push_back(randomDirection(random, share * std::sqrt(2.0f) * std::pow(1.0f + radius * radius, -0.25f)));
    bodies.masses.push_back(1.0f / float(count));
  }
  return bodies;
}
