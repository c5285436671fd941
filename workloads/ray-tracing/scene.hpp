// What is in the picture, and the formulas of light and geometry that the kernel and the reference share. Whatever decides what a ray
// meets is computed with fused operations that are written out, so that compilers have nothing left to fuse: host and device round alike.
#pragma once

#include <cmath>
#include <vector>

#include "../common/random.hpp"

namespace workloads {

struct Vector {
  float x, y, z;
};

__host__ __device__ inline float dot(Vector a, Vector b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }
__host__ __device__ inline Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ inline Vector scaled(Vector a, float by) { return {a.x * by, a.y * by, a.z * by}; }
__host__ __device__ inline Vector plusScaled(Vector a, Vector b, float by) {
  return {fmaf(b.x, by, a.x), fmaf(b.y, by, a.y), fmaf(b.z, by, a.z)};
}
__host__ __device__ inline Vector cross(Vector a, Vector b) {
  return {fmaf(a.y, b.z, -(a.z * b.y)), fmaf(a.z, b.x, -(a.x * b.z)), fmaf(a.x, b.y, -(a.y * b.x))};
}
__host__ __device__ inline Vector normalised(Vector a) { return scaled(a, 1.0f / sqrtf(dot(a, a))); }
__host__ __device__ inline Vector reflected(Vector direction, Vector normal) {
  return normalised(plusScaled(direction, normal, -2.0f * dot(direction, normal)));
}

struct Ray {
  Vector origin, direction;  // of length 1
};

struct Material {
  Vector colour, otherColour;  // of a chequered surface, the fields in turn
  float mirror, shine;         // how much it reflects of what it faces, and of the lights
};

struct Sphere {
  Vector centre;
  float radius;
  int material;
};

// The points whose product with the normal is `distance`.
struct Plane {
  Vector normal;
  float distance;
  int material;
};

struct Light {
  Vector place;
  float brightness;
};

struct Camera {
  Vector origin, forward, right, up;  // right and up as long as the picture's height seen at distance 1
};

// How far a ray goes until it meets something. Nothing nearer than this counts: where a ray leaves a surface, rounding may put its origin
// beneath. Coordinates are below 100, whose rounding is below 1e-5.
constexpr float kNearest = 1e-3f, kNever = 1e30f;

__host__ __device__ inline float hitSphere(const Sphere& sphere, const Ray& ray) {
  const Vector to = minus(sphere.centre, ray.origin);
  const float half = dot(to, ray.direction);
  const float square = fmaf(half, half, fmaf(sphere.radius, sphere.radius, -dot(to, to)));
  if (square < 0) return kNever;
  const float root = sqrtf(square), enter = half - root, leave = half + root;
  return enter > kNearest ? enter : leave > kNearest ? leave : kNever;
}

__host__ __device__ inline float hitPlane(const Plane& plane, const Ray& ray) {
  const float distance = (plane.distance - dot(plane.normal, ray.origin)) / dot(plane.normal, ray.direction);
  return distance > kNearest ? distance : kNever;  // a ray along the plane: infinite, or no number
}

// A corner and the edges that begin there (Möller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection", 1997).
__host__ __device__ inline float hitTriangle(Vector corner, Vector first, Vector second, const Ray& ray) {
  const Vector across = cross(ray.direction, second), to = minus(ray.origin, corner);
  const float scale = 1.0f / dot(first, across), u = dot(to, across) * scale;
  if (!(u >= 0 && u <= 1)) return kNever;
  const Vector over = cross(to, first);
  const float v = dot(ray.direction, over) * scale;
  if (!(v >= 0 && u + v <= 1)) return kNever;
  const float distance = dot(second, over) * scale;
  return distance > kNearest ? distance : kNever;
}

// Brightness of the sky: white where it meets the earth.
__host__ __device__ inline Vector sky(Vector direction) {
  const float height = direction.y > 0 ? direction.y : 0;
  return {0.9f - 0.6f * height, 0.95f - 0.4f * height, 1.0f - 0.1f * height};
}

__host__ __device__ inline Vector colourAt(const Material& material, Vector point) {
  const int field = int(floorf(point.x)) + int(floorf(point.z));
  return field % 2 == 0 ? material.colour : material.otherColour;
}

// What a surface sends on of a light that nothing hides, in white light: (diffuse, specular) after Phong (CACM 1975) with exponent 32.
__host__ __device__ inline void phong(Vector normal, Vector direction, Vector toLight, float& diffuse, float& specular) {
  const float facing = dot(normal, toLight);
  diffuse = facing > 0 ? facing : 0;
  const float mirrored = facing > 0 ? dot(reflected(direction, normal), toLight) : 0;
  specular = mirrored > 0 ? mirrored : 0;
  for (int square = 0; square < 5; ++square) specular *= specular;
}

constexpr float kAmbient = 0.15f;
constexpr int kBig = 3, kSpheres = 12, kPlanes = 1, kLights = 2, kMaterials = 6;
constexpr int kFacets = 20;
constexpr int kFloor = 0, kGem = 1, kFirstOfSpheres = 2;  // materials

struct Scene {
  Sphere spheres[kSpheres];
  Plane planes[kPlanes];
  Sphere gem;  // which holds the facets
  Light lights[kLights];
  Material materials[kMaterials];
  Camera camera;
};

struct Facets {
  std::vector<float4> corners, firstEdges, secondEdges;  // the fourth word is not used
};

inline Vector vectorOf(float4 words) { return {words.x, words.y, words.z}; }

// Of the regular icosahedron: each three corners that are neighbours of one another.
inline Facets makeGem(const Sphere& around) {
  const float golden = 1.618034f;
  std::vector<Vector> corners;
  for (float one : {-1.0f, 1.0f})
    for (float other : {-golden, golden}) {
      corners.push_back({0, one, other});
      corners.push_back({one, other, 0});
      corners.push_back({other, 0, one});
    }
  const auto neighbours = [&](int a, int b) {
    const Vector edge = minus(corners[a], corners[b]);
    return dot(edge, edge) < 4.5f;  // edges are 2 long, other distances more than 3
  };
  const auto words = [](Vector a) { return make_float4(a.x, a.y, a.z, 0); };
  const auto place = [&](int a) { return plusScaled(around.centre, normalised(corners[a]), around.radius); };
  Facets facets;
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = b + 1; c < 12; ++c) {
        if (!neighbours(a, b) || !neighbours(b, c) || !neighbours(a, c)) continue;
        facets.corners.push_back(words(place(a)));
        facets.firstEdges.push_back(words(minus(place(b), place(a))));
        facets.secondEdges.push_back(words(minus(place(c), place(a))));
      }
  return facets;
}

// The usual scene of such pictures since Whitted ("An Improved Illumination Model for Shaded Display", CACM 1980): mirroring and matt
// spheres of two sizes on a chequered floor under two lamps, and a gem with facets among them.
inline Scene makeScene(Random& random) {
  Scene scene{};
  scene.materials[kFloor] = {{0.9f, 0.9f, 0.85f}, {0.15f, 0.2f, 0.3f}, 0.15f, 0};
  scene.materials[kGem] = {{0.1f, 0.6f, 0.4f}, {0.1f, 0.6f, 0.4f}, 0.35f, 0.6f};
  const Vector colours[] = {{0.95f, 0.95f, 0.95f}, {0.8f, 0.2f, 0.15f}, {0.2f, 0.3f, 0.8f}, {0.85f, 0.7f, 0.2f}};
  const float mirrors[] = {0.85f, 0.3f, 0.3f, 0};
  for (int i = 0; i < 4; ++i) scene.materials[kFirstOfSpheres + i] = {colours[i], colours[i], mirrors[i], 0.5f};
  scene.planes[0] = {{0, 1, 0}, 0, kFloor};
  scene.gem = {{1.2f, 0.7f, -1.6f}, 0.7f, kGem};
  scene.spheres[0] = {{-2.2f, 1.2f, 0.5f}, 1.2f, kFirstOfSpheres};
  scene.spheres[1] = {{0.5f, 1.0f, 1.5f}, 1.0f, kFirstOfSpheres + 1};
  scene.spheres[2] = {{2.8f, 1.1f, 0.2f}, 1.1f, kFirstOfSpheres};
  for (int i = kBig; i < kSpheres; ++i) {
    const float radius = random.uniform(0.2f, 0.45f);
    scene.spheres[i] = {
        {random.uniform(-3.0f, 3.0f), radius, random.uniform(-4.5f, -1.5f)}, radius, kFirstOfSpheres + int(random.below(4))};
  }
  scene.lights[0] = {{-6, 9, -7}, 0.6f};
  scene.lights[1] = {{7, 6, -4}, 0.3f};
  const Vector eye = {0, 2.2f, -8}, forward = normalised(minus({0, 0.9f, 0}, eye)), right = normalised(cross({0, 1, 0}, forward));
  scene.camera = {eye, forward, scaled(right, 0.8f), scaled(cross(forward, right), 0.8f)};
  return scene;
}

__host__ __device__ inline Ray rayThrough(const Camera& camera, int x, int y, int width, int height) {
  const float right = (x + 0.5f - 0.5f * width) / height, up = (0.5f * height - 0.5f - y) / height;
  return {camera.origin, normalised(plusScaled(plusScaled(camera.forward, camera.right, right), camera.up, up))};
}

// Eight bits a channel, red lowest, rounded to the nearest.
__host__ __device__ inline unsigned packed(Vector colour) {
  const float channels[] = {colour.x, colour.y, colour.z};
  unsigned pixel = 0xff000000;
  for (int i = 0; i < 3; ++i) pixel |= unsigned(fminf(fmaxf(channels[i], 0.0f), 1.0f) * 255.0f + 0.5f) << (8 * i);
  return pixel;
}

}  // namespace workloads
