// The formulas of triangles that kernels and host share. Products are summed by fused operations that are written out, so that compilers
// have nothing left to fuse: host and device round alike and decide alike.
#pragma once

#include <cmath>

namespace workloads {

struct alignas(16) Point {
  double x, y;
};

// Twice the area of a, b, c: positive if they go round against the clock.
__host__ __device__ inline double orientation(Point a, Point b, Point c) { return fma(b.x - a.x, c.y - a.y, -((b.y - a.y) * (c.x - a.x))); }

__host__ __device__ inline double squaredLength(Point a) { return fma(a.x, a.x, a.y * a.y); }
__host__ __device__ inline Point from(Point a, Point b) { return {b.x - a.x, b.y - a.y}; }
__host__ __device__ inline Point middle(Point a, Point b) { return {(a.x + b.x) * 0.5, (a.y + b.y) * 0.5}; }

// More than what rounding adds to the determinant below, in squares of the sum of the three squared distances: (10 + 96 * 2^-53) * 2^-53 of
// the determinant's terms taken as positive, which are at most 2/3 of that square (Shewchuk, "Adaptive Precision Floating-Point Arithmetic
// and Fast Robust Geometric Predicates", Discrete & Computational Geometry 1997).
constexpr double kRounding = 1e-15;

// p lies in the circle through a, b and c, and farther from its edge than rounding can tell.
__host__ __device__ inline bool inCircle(Point a, Point b, Point c, Point p) {
  const Point u = from(p, a), v = from(p, b), w = from(p, c);
  const double uu = squaredLength(u), vv = squaredLength(v), ww = squaredLength(w), sum = uu + vv + ww;
  const double vw = fma(v.x, w.y, -(v.y * w.x)), wu = fma(w.x, u.y, -(w.y * u.x)), uv = fma(u.x, v.y, -(u.y * v.x));
  return fma(uu, vw, fma(vv, wu, ww * uv)) > kRounding * (sum * sum);
}

__host__ __device__ inline Point circumcentre(Point a, Point b, Point c) {
  const Point u = from(a, b), v = from(a, c);
  const double uu = squaredLength(u), vv = squaredLength(v), scale = 0.5 / fma(u.x, v.y, -(u.y * v.x));
  return {fma(fma(v.y, uu, -(u.y * vv)), scale, a.x), fma(fma(u.x, vv, -(v.x * uu)), scale, a.y)};
}

// The cosine of 30 degrees, the least angle that Kulkarni, Pingali, Walter, Ramanarayanan, Bala and Chew ask for ("Optimistic Parallelism
// Requires Abstractions", PLDI 2007).
constexpr float kLargestCosine = 0.8660254f;

// Of the angle between edges of these squared lengths, opposite to the third.
__host__ __device__ inline float cosine(float edge, float other, float opposite) {
  return (edge + other - opposite) * 0.5f / sqrtf(edge * other);
}

// An angle is too small. In single precision: which triangles are refined does not depend on more.
__host__ __device__ inline bool isBad(Point a, Point b, Point c) {
  const float ab = float(squaredLength(from(a, b))), bc = float(squaredLength(from(b, c))), ca = float(squaredLength(from(c, a)));
  return cosine(ab, ca, bc) > kLargestCosine || cosine(ab, bc, ca) > kLargestCosine || cosine(bc, ca, ab) > kLargestCosine;
}

// p lies in the circle whose diameter is the edge from a to b, or beyond the edge.
__host__ __device__ inline bool encroaches(Point a, Point b, Point p) {
  return orientation(a, b, p) <= 0 || fma(a.x - p.x, b.x - p.x, (a.y - p.y) * (b.y - p.y)) <= 0;
}

}  // namespace workloads
