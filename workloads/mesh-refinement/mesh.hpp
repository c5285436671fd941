// Triangle meshes of the unit square, on the host: built by inserting points one by one (Bowyer 1981, Watson 1981), refined in turn, and
// checked.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "../common/random.hpp"
#include "geometry.hpp"

namespace workloads {

constexpr int kOutside = -1;  // where there is no triangle

// Of plans whose cavities touch, the one of the lowest priority number goes first. No two have the same: the factor is odd. Numbers
// without an order in space let many go at once.
__host__ __device__ inline unsigned priorityOf(int triangle) { return unsigned(triangle) * 2654435769u; }
constexpr unsigned kUnclaimed = 0xffffffffu;

// Plans of so many bad triangles are made in one round.
constexpr int kMostPlans = 1 << 16;

// A triangle's corners go round against the clock; neighbour i lies across the edge from corner i to corner i + 1.
struct Mesh {
  std::vector<Point> points;
  std::vector<int> corners, neighbours;  // three a triangle

  int triangles() const { return int(corners.size()) / 3; }
  Point corner(int triangle, int i) const { return points[corners[3 * triangle + i % 3]]; }
  bool isBad(int triangle) const { return workloads::isBad(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)); }
  bool encloses(int triangle, Point p) const { return inCircle(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2), p); }
};

// Where a point is to be inserted: in the middle of an edge of the boundary, or inside.
struct Site {
  Point point;
  int triangle, edge;  // triangle: kOutside for a point inside
};

class HostMesh : public Mesh {
 public:
  // The unit square, as two triangles.
  HostMesh() {
    points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    corners = {0, 1, 2, 0, 2, 3};
    neighbours = {kOutside, kOutside, 1, 0, kOutside, kOutside};
  }
  explicit HostMesh(const Mesh& mesh) : Mesh(mesh) {}

  // A point inside the square.
  void add(Point p) { insert({p, kOutside, 0}, cavity(find(p), p)); }

  // Refinement after Ruppert ("A Delaunay Refinement Algorithm for Quality 2-Dimensional Mesh Generation", J. Algorithms 1995) in rounds:
  // all bad triangles make plans, and those are carried out, in order, whose cavity is neither part of nor beside that of a plan of a lower
  // priority number.
  void refine() {
    for (;;) {
      std::vector<Plan> plans;
      for (int triangle = 0; triangle < triangles() && int(plans.size()) < kMostPlans; ++triangle)
        if (isBad(triangle)) plans.push_back(plan(triangle));
      if (plans.empty()) return;
      std::vector<unsigned> claims(triangles(), kUnclaimed);
      for (const Plan& each : plans)
        for (int triangle : each.touched) claims[triangle] = std::min(claims[triangle], each.priority);
      for (const Plan& each : plans) {
        const auto owns = [&](int triangle) { return claims[triangle] == each.priority; };
        if (std::all_of(each.inside.begin(), each.inside.end(), owns)) insert(each.site, each.inside);
      }
    }
  }

 private:
  struct Plan {
    Site site;
    unsigned priority;
    std::vector<int> inside, touched;
  };

  // An edge that the new point is joined to, with what lies beyond.
  struct Rim {
    int from, to, beyond;
  };

  // Walks towards p from the newest triangle.
  int find(Point p) const {
    int triangle = triangles() - 1;
    for (int i = 0; i < 3; ++i) {
      if (orientation(corner(triangle, i), corner(triangle, i + 1), p) >= 0) continue;
      triangle = neighbours[3 * triangle + i];
      i = -1;
    }
    return triangle;
  }

  // The circle's centre, or the middle of the first edge of the boundary that the centre encroaches on.
  Plan plan(int bad) const {
    const Point centre = circumcentre(corner(bad, 0), corner(bad, 1), corner(bad, 2));
    Plan result{{centre, kOutside, 0}, priorityOf(bad), cavity(bad, centre, &result.site), {}};
    if (result.site.triangle != kOutside) {
      const Site& site = result.site;
      result.site.point = middle(corner(site.triangle, site.edge), corner(site.triangle, site.edge + 1));
      result.inside = cavity(site.triangle, site.point);
    }
    for (int triangle : result.inside) {
      result.touched.push_back(triangle);
      for (int i = 0; i < 3; ++i)
        if (neighbours[3 * triangle + i] != kOutside) result.touched.push_back(neighbours[3 * triangle + i]);
    }
    return result;
  }

  // The triangles whose circles contain p, from one of them on, the nearer first. Given a site, it ends where p encroaches on the boundary.
  std::vector<int> cavity(int start, Point p, Site* site = nullptr) const {
    std::vector<int> found{start};
    for (size_t next = 0; next < found.size(); ++next)
      for (int i = 0; i < 3; ++i) {
        const int triangle = found[next], beyond = neighbours[3 * triangle + i];
        if (beyond == kOutside && site && encroaches(corner(triangle, i), corner(triangle, i + 1), p)) {
          site->triangle = triangle, site->edge = i;
          return found;
        }
        if (beyond == kOutside || contains(found, beyond)) continue;
        if (encloses(beyond, p)) found.push_back(beyond);
      }
    return found;
  }

  static bool contains(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  }

  // The new triangles take the places of those inside, and two more at the end, or one where an edge is divided.
  void insert(const Site& site, const std::vector<int>& inside) {
    std::vector<Rim> rims;
    for (int triangle : inside)
      for (int i = 0; i < 3; ++i) {
        const int beyond = neighbours[3 * triangle + i];
        if ((triangle == site.triangle && i == site.edge) || contains(inside, beyond)) continue;
        rims.push_back({corners[3 * triangle + i], corners[3 * triangle + (i + 1) % 3], beyond});
      }
    std::vector<int> places = inside;
    while (places.size() < rims.size()) places.push_back(triangles() + int(places.size() - inside.size()));
    corners.resize(3 * (triangles() + rims.size() - inside.size()));
    neighbours.resize(corners.size());
    const int added = int(points.size());
    points.push_back(site.point);
    for (size_t rim = 0; rim < rims.size(); ++rim) join(rims, places, rim, added);
  }

  void join(const std::vector<Rim>& rims, const std::vector<int>& places, size_t rim, int added) {
    const Rim& edge = rims[rim];
    int after = kOutside, before = kOutside;
    for (size_t other = 0; other < rims.size(); ++other) {
      if (rims[other].from == edge.to) after = places[other];
      if (rims[other].to == edge.from) before = places[other];
    }
    const int own = places[rim], around[] = {edge.from, edge.to, added}, beside[] = {edge.beyond, after, before};
    std::copy(around, around + 3, &corners[3 * own]);
    std::copy(beside, beside + 3, &neighbours[3 * own]);
    for (int i = 0; edge.beyond != kOutside && i < 3; ++i)
      if (corners[3 * edge.beyond + i] == edge.to) neighbours[3 * edge.beyond + i] = own;
  }
};

// The same mesh with points numbered along strips of the square to and fro, and triangles by their first points: neighbours in space lie
// near one another in memory, as in the files of mesh generators.
inline Mesh ordered(const Mesh& mesh) {
  const int count = int(mesh.points.size()), strips = int(std::sqrt(double(count)));
  const auto key = [&](int i) {
    const Point p = mesh.points[i];
    const int strip = std::min(int(p.y * strips), strips - 1);
    return std::make_pair(strip, strip % 2 == 0 ? p.x : -p.x);
  };
  std::vector<int> order(count), number(count), triangleOrder(mesh.triangles()), triangleNumber(mesh.triangles());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  for (int i = 0; i < count; ++i) number[order[i]] = i;
  const auto least = [&](int triangle) {
    const int* corners = &mesh.corners[3 * triangle];
    return std::min({number[corners[0]], number[corners[1]], number[corners[2]]});
  };
  std::iota(triangleOrder.begin(), triangleOrder.end(), 0);
  const auto before = [&](int a, int b) { return std::make_pair(least(a), a) < std::make_pair(least(b), b); };
  std::sort(triangleOrder.begin(), triangleOrder.end(), before);
  for (int i = 0; i < mesh.triangles(); ++i) triangleNumber[triangleOrder[i]] = i;
  Mesh result;
  for (int point : order) result.points.push_back(mesh.points[point]);
  for (int triangle : triangleOrder)
    for (int i = 3 * triangle; i < 3 * triangle + 3; ++i) {
      result.corners.push_back(number[mesh.corners[i]]);
      result.neighbours.push_back(mesh.neighbours[i] == kOutside ? kOutside : triangleNumber[mesh.neighbours[i]]);
    }
  return result;
}

// The Delaunay mesh of points drawn evenly from the square.
inline Mesh makeMesh(int points, Random& random) {
  HostMesh mesh;
  for (int i = 0; i < points; ++i) {
    const double x = random.uniform(0.001f, 0.999f), y = random.uniform(0.001f, 0.999f);
    mesh.add({x, y});
  }
  return ordered(mesh);
}

// What is wrong with a refined mesh, counted: {bad triangles, triangles that go round with the clock, edges that two neighbours do not
// share, points in the circle of a neighbour}.
inline std::vector<int> countFaults(const Mesh& mesh) {
  std::vector<int> faults(4, 0);
  for (int triangle = 0; triangle < mesh.triangles(); ++triangle) {
    faults[0] += mesh.isBad(triangle);
    faults[1] += orientation(mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2)) <= 0;
    for (int i = 0; i < 3; ++i) {
      const int beyond = mesh.neighbours[3 * triangle + i];
      if (beyond == kOutside) continue;
      int shared = kOutside;
      for (int j = 0; j < 3; ++j)
        if (mesh.neighbours[3 * beyond + j] == triangle) shared = j;
      if (shared == kOutside || mesh.corners[3 * beyond + shared] != mesh.corners[3 * triangle + (i + 1) % 3])
        ++faults[2];
      else
        faults[3] += mesh.encloses(triangle, mesh.corner(beyond, shared + 2));
    }
  }
  return faults;
}

}  // namespace workloads
