// Ray tracing (Whitted, "An Improved Illumination Model for Shaded Display", CACM 1980): one thread a pixel follows the ray of its pixel
// through a scene of spheres, a plane and a gem made of triangles. Where the ray meets a surface, rays to the lights say whether it lies
// in the shadow; a mirroring surface sends the ray on, up to five times. The scene lies in constant memory, the triangles in global
// memory. Kernels have no stack for recursion: a thread keeps the weight of what its ray has yet to meet.
#include "../common/workload.hpp"
#include "scene.hpp"

using namespace workloads;

constexpr int kBlockWidth = 16, kBlockHeight = 8;
constexpr int kReflections = 5;
constexpr int kNothing = -1, kFirstPlane = kSpheres, kFirstFacet = kSpheres + kPlanes;  // numbers of what a ray meets

__constant__ Scene deviceScene;

__device__ Vector fetch(const float4* words, int i) {
  const float4 four = words[i];
  return {four.x, four.y, four.z};
}

__device__ float hitFacet(const float4* corners, const float4* firstEdges, const float4* secondEdges, int i, const Ray& ray) {
  return hitTriangle(fetch(corners, i), fetch(firstEdges, i), fetch(secondEdges, i), ray);
}

// What the ray meets first, and how far away.
__device__ int nearest(const float4* corners, const float4* firstEdges, const float4* secondEdges, const Ray& ray, float& distance) {
  int found = kNothing;
  distance = kNever;
  const auto consider = [&](int object, float away) {
    if (away >= distance) return;
    distance = away;
    found = object;
  };
  for (int i = 0; i < kSpheres; ++i) consider(i, hitSphere(deviceScene.spheres[i], ray));
  for (int i = 0; i < kPlanes; ++i) consider(kFirstPlane + i, hitPlane(deviceScene.planes[i], ray));
  if (hitSphere(deviceScene.gem, ray) < distance)
    for (int i = 0; i < kFacets; ++i) consider(kFirstFacet + i, hitFacet(corners, firstEdges, secondEdges, i, ray));
  return found;
}

// Whether anything lies within the distance. Planes hide nothing: the lights are above.
__device__ bool hidden(const float4* corners, const float4* firstEdges, const float4* secondEdges, const Ray& ray, float distance) {
  for (int i = 0; i < kSpheres; ++i)
    if (hitSphere(deviceScene.spheres[i], ray) < distance) return true;
  if (hitSphere(deviceScene.gem, ray) >= distance) return false;
  for (int i = 0; i < kFacets; ++i)
    if (hitFacet(corners, firstEdges, secondEdges, i, ray) < distance) return true;
  return false;
}

// Of length 1, towards where the ray comes from.
__device__ Vector normalOf(const float4* firstEdges, const float4* secondEdges, int object, Vector point, Vector direction) {
  Vector normal;
  if (object < kFirstPlane)
    normal = scaled(minus(point, deviceScene.spheres[object].centre), 1.0f / deviceScene.spheres[object].radius);
  else if (object < kFirstFacet)
    normal = deviceScene.planes[object - kFirstPlane].normal;
  else
    normal = normalised(cross(fetch(firstEdges, object - kFirstFacet), fetch(secondEdges, object - kFirstFacet)));
  return dot(normal, direction) > 0 ? scaled(normal, -1) : normal;
}

__device__ int materialOf(int object) {
  if (object >= kFirstFacet) return deviceScene.gem.material;
  return object < kFirstPlane ? deviceScene.spheres[object].material : deviceScene.planes[object - kFirstPlane].material;
}

__global__ void traceRays(const float4* corners, const float4* firstEdges, const float4* secondEdges, unsigned* image, int width,
                          int height) {
  const int x = blockIdx.x * kBlockWidth + threadIdx.x, y = blockIdx.y * kBlockHeight + threadIdx.y;
  if (x >= width || y >= height) return;
  Ray ray = rayThrough(deviceScene.camera, x, y, width, height);
  Vector colour = {0, 0, 0};
  float weight = 1;
  for (int met = 0; met <= kReflections && weight > 0; ++met) {
    float distance;
    const int object = nearest(corners, firstEdges, secondEdges, ray, distance);
    if (object == kNothing) {
      colour = plusScaled(colour, sky(ray.direction), weight);
      break;
    }
    const Vector point = plusScaled(ray.origin, ray.direction, distance);
    const Vector normal = normalOf(firstEdges, secondEdges, object, point, ray.direction);
    const Material& material = deviceScene.materials[materialOf(object)];
    float diffuse = kAmbient, specular = 0;
    for (int i = 0; i < kLights; ++i) {
      const Vector to = minus(deviceScene.lights[i].place, point);
      const float away = sqrtf(dot(to, to));
      const Vector towards = scaled(to, 1.0f / away);
      if (hidden(corners, firstEdges, secondEdges, {point, towards}, away)) continue;
      float facing, mirrored;
      phong(normal, ray.direction, towards, facing, mirrored);
      diffuse += deviceScene.lights[i].brightness * facing;
      specular += deviceScene.lights[i].brightness * mirrored;
    }
    colour = plusScaled(colour, colourAt(material, point), weight * (1 - material.mirror) * diffuse);
    colour = plusScaled(colour, {1, 1, 1}, weight * material.shine * specular);
    weight *= material.mirror;
    ray = {point, reflected(ray.direction, normal)};
  }
  image[y * width + x] = packed(colour);
}

std::vector<unsigned> renderOnDevice(const Scene& scene, const Facets& facets, int width, int height, Timings& timings) {
  WORKLOAD_CHECK(cudaMemcpyToSymbol(deviceScene, &scene, sizeof(Scene)));
  const DeviceArray<float4> corners(facets.corners), firstEdges(facets.firstEdges), secondEdges(facets.secondEdges);
  const DeviceArray<unsigned> image(size_t(width) * height);
  const dim3 grid(divideUp(width, kBlockWidth), divideUp(height, kBlockHeight));
  timings.kernels([&] {
    traceRays<<<grid, dim3(kBlockWidth, kBlockHeight)>>>(corners.data(), firstEdges.data(), secondEdges.data(), image.data(), width,
                                                         height);
  });
  return image.download();
}

// Recursive, and with a list of all that is there.
class Tracer {
 public:
  Tracer(const Scene& scene, const Facets& facets) : scene_(scene), facets_(facets) {}

  Vector trace(const Ray& ray, int reflections) const {
    const Meeting meeting = meet(ray);
    if (meeting.distance == kNever) return sky(ray.direction);
    const Vector point = plusScaled(ray.origin, ray.direction, meeting.distance);
    const Vector normal =
        dot(normalAt(meeting, point), ray.direction) > 0 ? scaled(normalAt(meeting, point), -1) : normalAt(meeting, point);
    const Material& material = scene_.materials[meeting.material];
    const Vector own = scaled(colourAt(material, point), 1 - material.mirror);
    Vector colour = scaled(own, kAmbient);
    for (const Light& light : scene_.lights) {
      const Vector to = minus(light.place, point);
      const float away = sqrtf(dot(to, to));
      const Ray towards = {point, scaled(to, 1.0f / away)};
      if (meet(towards).distance < away) continue;
      float diffuse, specular;
      phong(normal, ray.direction, towards.direction, diffuse, specular);
      colour = plusScaled(colour, own, light.brightness * diffuse);
      colour = plusScaled(colour, {1, 1, 1}, light.brightness * material.shine * specular);
    }
    if (reflections == 0 || material.mirror == 0) return colour;
    return plusScaled(colour, trace({point, reflected(ray.direction, normal)}, reflections - 1), material.mirror);
  }

 private:
  struct Meeting {
    float distance = kNever;
    int material = 0;
    const Sphere* sphere = nullptr;
    const Plane* plane = nullptr;
    int facet = 0;  // where there is neither
  };

  Meeting meet(const Ray& ray) const {
    Meeting first;
    const auto consider = [&](const Meeting& other) { first = other.distance < first.distance ? other : first; };
    for (const Sphere& sphere : scene_.spheres) consider({hitSphere(sphere, ray), sphere.material, &sphere, nullptr, 0});
    for (const Plane& plane : scene_.planes) consider({hitPlane(plane, ray), plane.material, nullptr, &plane, 0});
    if (hitSphere(scene_.gem, ray) == kNever) return first;
    for (int i = 0; i < kFacets; ++i) {
      const Vector corner = vectorOf(facets_.corners[i]), edge = vectorOf(facets_.firstEdges[i]), other = vectorOf(facets_.secondEdges[i]);
      consider({hitTriangle(corner, edge, other, ray), scene_.gem.material, nullptr, nullptr, i});
    }
    return first;
  }

  Vector normalAt(const Meeting& meeting, Vector point) const {
    if (meeting.sphere) return scaled(minus(point, meeting.sphere->centre), 1.0f / meeting.sphere->radius);
    if (meeting.plane) return meeting.plane->normal;
    return normalised(cross(vectorOf(facets_.firstEdges[meeting.facet]), vectorOf(facets_.secondEdges[meeting.facet])));
  }

  const Scene& scene_;
  const Facets& facets_;
};

std::vector<unsigned> referenceRender(const Scene& scene, const Facets& facets, int width, int height) {
  const Tracer tracer(scene, facets);
  std::vector<unsigned> image;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.push_back(packed(tracer.trace(rayThrough(scene.camera, x, y, width, height), kReflections)));
  return image;
}

std::vector<float> channels(const std::vector<unsigned>& image) {
  std::vector<float> values;
  for (unsigned pixel : image)
    for (int shift = 0; shift < 32; shift += 8) values.push_back(float((pixel >> shift) & 255));
  return values;
}

struct Picture {
  int width, height;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"ray-tracing",
                                        "a picture of spheres, a floor and a gem, with shadows and five reflections",
                                        "61 x 45 pixels",
                                        "150 x 110 pixels",
                                        "256 x 256 pixels",
                                        {}});
  const Picture picture = options.pick(Picture{61, 45}, Picture{150, 110}, Picture{256, 256});
  Random random(62);
  const Scene scene = makeScene(random);
  const Facets facets = makeGem(scene.gem);
  Timings timings;
  const std::vector<unsigned> got = renderOnDevice(scene, facets, picture.width, picture.height, timings);
  std::vector<unsigned> expected;
  timings.reference([&] { expected = referenceRender(scene, facets, picture.width, picture.height); });
  timings.print();
  // Rays meet the same to the bit; only the colours of a pixel's at most six surfaces are added in another order. Each channel's some
  // fifty roundings of 2^-24 of it are far below a step of 1/255, but may take a value across the middle between two steps.
  return report("ray-tracing", expectNear("channels", channels(expected), channels(got), 0, 1));
}
