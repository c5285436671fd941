// The tree, built from the top down, and the forces, in double precision.
#pragma once

#include <algorithm>

#include "bodies.hpp"

class ReferenceTree {
 public:
  explicit ReferenceTree(const Bodies& bodies) : bodies_(bodies) {
    Vector low = bodies.positions[0], high = low;
    for (const Vector& position : bodies.positions) low = lower(low, position), high = higher(high, position);
    for (int body = 0; body < bodies.count(); ++body) keys_.push_back(keyOf(bodies.positions[body], low, sideOf(low, high), body));
    std::sort(keys_.begin(), keys_.end());
    root_ = build(0, bodies.count());
  }

  struct Force {
    double x = 0, y = 0, z = 0;  // acceleration
    double size = 0;             // sum of the sizes of what was added to it
    int terms = 0;
  };
  Force on(int body) const {
    Force force;
    add(force, bodies_.positions[body], nodes_[root_]);
    return force;
  }

 private:
  struct Node {
    Summary summary;
    int left = -1, right = -1;  // -1: a body
  };

  int build(int first, int end) {
    if (end - first == 1) {
      const int body = int(keys_[first] & 0xffffffff);
      const Vector& position = bodies_.positions[body];
      nodes_.push_back({{position, bodies_.masses[body], position, position}, -1, -1});
      return int(nodes_.size()) - 1;
    }
    int bit = 63;  // the highest in which the keys differ
    while ((keys_[first] >> bit) == (keys_[end - 1] >> bit)) --bit;
    const int middle = int(
        std::partition_point(keys_.begin() + first, keys_.begin() + end, [=](Key key) { return (key >> bit & 1) == 0; }) - keys_.begin());
    const int left = build(first, middle), right = build(middle, end);
    nodes_.push_back({joined(nodes_[left].summary, nodes_[right].summary), left, right});
    return int(nodes_.size()) - 1;
  }

  void add(Force& force, const Vector& position, const Node& node) const {
    const Vector to = between(position, node.summary.centre);
    const float distance = squared(to);
    if (node.left >= 0 && !isFar(node.summary, distance)) {
      add(force, position, nodes_[node.left]);
      add(force, position, nodes_[node.right]);
      return;
    }
    const double softened = double(distance) + double(kSoftening) * kSoftening;
    const double factor = node.summary.mass / (softened * std::sqrt(softened));
    force.x += factor * to.x, force.y += factor * to.y, force.z += factor * to.z;
    force.size += factor * std::sqrt(double(distance));
    ++force.terms;
  }

  const Bodies& bodies_;
  std::vector<Key> keys_;
  std::vector<Node> nodes_;
  int root_ = 0;
};
