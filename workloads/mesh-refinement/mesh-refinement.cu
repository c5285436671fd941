// Delaunay mesh refinement (Ruppert, "A Delaunay Refinement Algorithm for Quality 2-Dimensional Mesh Generation", J. Algorithms 1995;
// Kulkarni, Pingali, Walter, Ramanarayanan, Bala, Chew, "Optimistic Parallelism Requires Abstractions", PLDI 2007): while a triangle has an
// angle below 30 degrees, the centre of its circle, or the middle of an edge of the boundary too near to that, becomes a point of the mesh,
// and the triangles whose circles contain the point, its cavity, make room for triangles around it.
// In rounds: every thread looks at one triangle; a thread a bad triangle finds the cavity and claims it and the triangles around by
// atomic minima; those who hold their cavity write new triangles into the old places and, where prefix sums say, behind the others.
// What comes out does not depend on the order of the threads.
#include "../common/prefix_sums.hpp"
#include "../common/workload.hpp"
#include "mesh.hpp"

using namespace workloads;

constexpr int kThreads = 128;
// Cavities of these meshes have at most 24 triangles. A larger one would be cut off, and the mesh not be that of the reference.
constexpr int kMostInside = 32, kMostRims = kMostInside + 2;

struct DeviceMesh {
  const Point* points;
  const int *corners, *neighbours;

  __device__ Point corner(int triangle, int i) const { return points[corners[3 * triangle + i]]; }
  __device__ bool encloses(int triangle, Point p) const {
    return inCircle(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2), p);
  }
};

struct Cavity {
  int triangles[kMostInside];
  int count;

  __device__ bool holds(int triangle) const {
    for (int i = 0; i < count; ++i)
      if (triangles[i] == triangle) return true;
    return false;
  }
};

// marks: one more than there are triangles, the last 0.
__global__ void meshMark(const Point* points, const int* corners, int* marks, int triangles) {
  const int triangle = blockIdx.x * kThreads + threadIdx.x;
  if (triangle > triangles) return;
  const DeviceMesh mesh = {points, corners, nullptr};
  marks[triangle] = triangle < triangles && isBad(mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2));
}

// places: the prefix sums of the marks.
__global__ void meshList(const int* places, int* list, int triangles) {
  const int triangle = blockIdx.x * kThreads + threadIdx.x;
  if (triangle < triangles && places[triangle + 1] != places[triangle]) list[places[triangle]] = triangle;
}

// Finds the cavity of the site's point from a triangle of it on. False if the point is a centre that encroaches on an edge of the boundary,
// which becomes the site's.
__device__ bool growCavity(const DeviceMesh& mesh, int start, Site& site, Cavity& cavity) {
  const bool middle = site.triangle != kOutside;
  cavity.triangles[0] = start;
  cavity.count = 1;
  for (int next = 0; next < cavity.count; ++next) {
    const int triangle = cavity.triangles[next];
    for (int i = 0; i < 3; ++i) {
      const int beyond = mesh.neighbours[3 * triangle + i];
      if (beyond == kOutside) {
        if (middle || !encroaches(mesh.corner(triangle, i), mesh.corner(triangle, (i + 1) % 3), site.point)) continue;
        site.triangle = triangle;
        site.edge = i;
        return false;
      }
      if (cavity.holds(beyond) || !mesh.encloses(beyond, site.point)) continue;
      if (cavity.count == kMostInside) return true;
      cavity.triangles[cavity.count++] = beyond;
    }
  }
  return true;
}

// sizes: of the cavities; inside: their triangles, [place in the cavity][plan].
__global__ void refinePlan(const Point* points, const int* corners, const int* neighbours, const int* list, Site* sites, int* sizes,
                           int* inside, unsigned* claims, int plans) {
  const int plan = blockIdx.x * kThreads + threadIdx.x;
  if (plan >= plans) return;
  const DeviceMesh mesh = {points, corners, neighbours};
  const int bad = list[plan];
  Site site = {circumcentre(mesh.corner(bad, 0), mesh.corner(bad, 1), mesh.corner(bad, 2)), kOutside, 0};
  Cavity cavity;
  if (!growCavity(mesh, bad, site, cavity)) {
    site.point = middle(mesh.corner(site.triangle, site.edge), mesh.corner(site.triangle, (site.edge + 1) % 3));
    growCavity(mesh, site.triangle, site, cavity);
  }
  sites[plan] = site;
  sizes[plan] = cavity.count;
  for (int i = 0; i < cavity.count; ++i) {
    const int triangle = cavity.triangles[i];
    inside[i * plans + plan] = triangle;
    atomicMin(&claims[triangle], priorityOf(bad));
    for (int edge = 0; edge < 3; ++edge) {
      const int beyond = neighbours[3 * triangle + edge];
      if (beyond != kOutside) atomicMin(&claims[beyond], priorityOf(bad));
    }
  }
}

// Of plans that hold their cavity, how many points and triangles they add: none of these cavities is beside another, so that they can
// change at once. Both arrays: one more than there are plans, the last 0.
__global__ void refineDecide(const int* list, const Site* sites, const int* sizes, const int* inside, const unsigned* claims,
                             int* newPoints, int* newTriangles, int plans) {
  const int plan = blockIdx.x * kThreads + threadIdx.x;
  if (plan > plans) return;
  bool holds = plan < plans;
  for (int i = 0; holds && i < sizes[plan]; ++i) holds = claims[inside[i * plans + plan]] == priorityOf(list[plan]);
  newPoints[plan] = holds;
  newTriangles[plan] = !holds ? 0 : sites[plan].triangle == kOutside ? 2 : 1;
}

// The edges of a cavity, with what lies beyond. The new point is joined to all of them.
struct Rims {
  int from[kMostRims], to[kMostRims], beyond[kMostRims];
  int count;
};

__device__ void collectRims(const int* corners, const int* neighbours, const Site& site, const Cavity& cavity, Rims& rims) {
  rims.count = 0;
  for (int i = 0; i < cavity.count; ++i) {
    const int triangle = cavity.triangles[i];
    for (int edge = 0; edge < 3; ++edge) {
      const int beyond = neighbours[3 * triangle + edge];
      if ((triangle == site.triangle && edge == site.edge) || cavity.holds(beyond)) continue;
      rims.from[rims.count] = corners[3 * triangle + edge];
      rims.to[rims.count] = corners[3 * triangle + (edge + 1) % 3];
      rims.beyond[rims.count++] = beyond;
    }
  }
}

// pointPlaces, trianglePlaces: the prefix sums of what refineDecide says.
__global__ void refineApply(Point* points, int* corners, int* neighbours, const Site* sites, const int* sizes, const int* inside,
                            const int* pointPlaces, const int* trianglePlaces, int pointCount, int triangleCount, int plans) {
  const int plan = blockIdx.x * kThreads + threadIdx.x;
  if (plan >= plans || pointPlaces[plan + 1] == pointPlaces[plan]) return;
  const Site site = sites[plan];
  Cavity cavity;
  cavity.count = sizes[plan];
  for (int i = 0; i < cavity.count; ++i) cavity.triangles[i] = inside[i * plans + plan];
  Rims rims;
  collectRims(corners, neighbours, site, cavity, rims);

  const int added = pointCount + pointPlaces[plan], behind = triangleCount + trianglePlaces[plan] - cavity.count;
  const auto place = [&](int rim) { return rim < cavity.count ? cavity.triangles[rim] : behind + rim; };
  points[added] = site.point;
  for (int rim = 0; rim < rims.count; ++rim) {
    const int own = place(rim), from = rims.from[rim], to = rims.to[rim], beyond = rims.beyond[rim];
    int after = kOutside, before = kOutside;
    for (int other = 0; other < rims.count; ++other) {
      if (rims.from[other] == to) after = place(other);
      if (rims.to[other] == from) before = place(other);
    }
    corners[3 * own] = from;
    corners[3 * own + 1] = to;
    corners[3 * own + 2] = added;
    neighbours[3 * own] = beyond;
    neighbours[3 * own + 1] = after;
    neighbours[3 * own + 2] = before;
    for (int edge = 0; beyond != kOutside && edge < 3; ++edge)
      if (corners[3 * beyond + edge] == to) neighbours[3 * beyond + edge] = own;
  }
}

// A mesh in device memory with room to grow.
class Refinement {
 public:
  explicit Refinement(const Mesh& mesh)
      : pointCount_(int(mesh.points.size())),
        triangleCount_(mesh.triangles()),
        points_(grown(mesh.points)),
        corners_(grown(mesh.corners)),
        neighbours_(grown(mesh.neighbours)),
        claims_(corners_.size() / 3) {}

  // False where there was nothing left to do.
  bool round() {
    const DeviceArray<int> places(triangleCount_ + 1);
    const int blocks = divideUp(triangleCount_ + 1, kThreads);
    meshMark<<<blocks, kThreads>>>(points_.data(), corners_.data(), places.data(), triangleCount_);
    const int bad = prefixSumsWithTotal(places);
    if (bad == 0) return false;
    const DeviceArray<int> list(bad);
    meshList<<<blocks, kThreads>>>(places.data(), list.data(), triangleCount_);
    carryOut(list, std::min(bad, kMostPlans));
    return true;
  }

  Mesh download() const {
    Mesh mesh{points_.download(), corners_.download(), neighbours_.download()};
    mesh.points.resize(pointCount_);
    mesh.corners.resize(3 * triangleCount_);
    mesh.neighbours.resize(3 * triangleCount_);
    return mesh;
  }

 private:
  // Meshes of random points grow by a factor of some 5.
  static constexpr size_t kRoom = 8;

  template <class T>
  static std::vector<T> grown(std::vector<T> values) {
    values.resize(kRoom * values.size());
    return values;
  }

  void carryOut(const DeviceArray<int>& list, int plans) {
    const DeviceArray<Site> sites(plans);
    const DeviceArray<int> sizes(plans), inside(size_t(kMostInside) * plans), newPoints(plans + 1), newTriangles(plans + 1);
    WORKLOAD_CHECK(cudaMemset(claims_.data(), 0xff, triangleCount_ * sizeof(unsigned)));
    refinePlan<<<divideUp(plans, kThreads), kThreads>>>(points_.data(), corners_.data(), neighbours_.data(), list.data(), sites.data(),
                                                        sizes.data(), inside.data(), claims_.data(), plans);
    refineDecide<<<divideUp(plans + 1, kThreads), kThreads>>>(list.data(), sites.data(), sizes.data(), inside.data(), claims_.data(),
                                                              newPoints.data(), newTriangles.data(), plans);
    const int addedPoints = prefixSumsWithTotal(newPoints), addedTriangles = prefixSumsWithTotal(newTriangles);
    demandRoom(pointCount_ + addedPoints, points_.size());
    demandRoom(3 * (triangleCount_ + addedTriangles), corners_.size());
    refineApply<<<divideUp(plans, kThreads), kThreads>>>(points_.data(), corners_.data(), neighbours_.data(), sites.data(), sizes.data(),
                                                         inside.data(), newPoints.data(), newTriangles.data(), pointCount_, triangleCount_,
                                                         plans);
    finishKernels();
    pointCount_ += addedPoints;
    triangleCount_ += addedTriangles;
  }

  static void demandRoom(size_t wanted, size_t room) {
    if (wanted <= room) return;
    std::cerr << "mesh-refinement: the mesh grows beyond " << room << " elements" << std::endl;
    std::exit(kExitWrongResult);
  }

  int pointCount_, triangleCount_;
  const DeviceArray<Point> points_;
  const DeviceArray<int> corners_, neighbours_;
  const DeviceArray<unsigned> claims_;
};

std::vector<double> coordinates(const Mesh& mesh) {
  std::vector<double> values;
  for (const Point& point : mesh.points) values.insert(values.end(), {point.x, point.y});
  return values;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"mesh-refinement",
                                        "Delaunay refinement of a triangle mesh until no angle is below 30 degrees",
                                        "mesh of 151 points",
                                        "mesh of 3,001 points",
                                        "mesh of 250,000 points",
                                        {}});
  Random random(63);
  const Mesh mesh = makeMesh(options.pick(151, 3'001, 250'000), random);
  Timings timings;
  Refinement refinement(mesh);
  timings.kernels([&] {
    while (refinement.round()) {
    }
  });
  const Mesh got = refinement.download();
  HostMesh expected(mesh);
  timings.reference([&] { expected.refine(); });
  timings.print();
  const bool correct =
      expectEqual("coordinates", coordinates(expected), coordinates(got)) && expectEqual("corners", expected.corners, got.corners) &&
      expectEqual("neighbours", expected.neighbours, got.neighbours) && expectEqual("faults", std::vector<int>(4, 0), countFaults(got));
  return report("mesh-refinement", correct);
}
