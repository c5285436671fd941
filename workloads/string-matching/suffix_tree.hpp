// A suffix tree on the host, built from left to right (Ukkonen, "On-line construction of suffix trees", Algorithmica 1995).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "../common/dna.hpp"

namespace workloads {

constexpr int kRoot = 0, kNoChild = 0;

class SuffixTree {
 public:
  // text[begin … end) is what the edge to the node spells. The link leads from the node of a piece to that of the piece without its first
  // base. leaves: how many suffixes begin with the piece.
  struct Node {
    int begin, end, link, leaves;
  };
  static constexpr int kEndMark = 4;  // the child that begins with the mark at the end of the text

  explicit SuffixTree(const std::string& text) : text_(text + '$') {
    add(0, 0);
    for (int i = 0; i < int(text_.size()); ++i) extend(i);
    countLeaves();
  }

  const std::string& text() const { return text_; }  // with the mark
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<std::array<int, 5>>& children() const { return children_; }

 private:
  int add(int begin, int end) {
    nodes_.push_back({begin, end, kRoot, 0});
    children_.push_back({});
    return int(nodes_.size()) - 1;
  }
  int number(int i) const { return text_[i] == '$' ? kEndMark : int(baseNumber(text_[i])); }

  // Adds character i to every suffix that the tree does not hold with it yet; those are the last `waiting_`.
  void extend(int i) {
    const int end = int(text_.size());
    int unlinked = kRoot;
    for (++waiting_; waiting_ > 0; --waiting_) {
      if (length_ == 0) edge_ = i;
      const int child = children_[node_][number(edge_)];
      if (child == kNoChild) {
        children_[node_][number(edge_)] = add(i, end);
        link(unlinked, node_);
      } else {
        const int size = nodes_[child].end - nodes_[child].begin;
        if (length_ >= size) {
          node_ = child;
          edge_ += size;
          length_ -= size;
          ++waiting_;  // this suffix again, from there
          continue;
        }
        if (text_[nodes_[child].begin + length_] == text_[i]) {
          ++length_;
          return link(unlinked, node_);
        }
        link(unlinked, split(child, i));
      }
      toNextSuffix(i);
    }
  }

  // Divides the edge to the child where the active point is, and adds a leaf there.
  int split(int child, int i) {
    const int begin = nodes_[child].begin, upper = add(begin, begin + length_), leaf = add(i, int(text_.size()));
    children_[node_][number(begin)] = upper;
    children_[upper][number(i)] = leaf;
    nodes_[child].begin += length_;
    children_[upper][number(nodes_[child].begin)] = child;
    return upper;
  }

  void link(int& unlinked, int node) {
    if (unlinked != kRoot) nodes_[unlinked].link = node;
    unlinked = node;
  }

  void toNextSuffix(int i) {
    if (node_ == kRoot && length_ > 0) {
      --length_;
      edge_ = i - waiting_ + 2;
    } else {
      node_ = nodes_[node_].link;
    }
  }

  void countLeaves() {
    std::vector<int> order{kRoot}, parents{kRoot};
    for (size_t i = 0; i < order.size(); ++i)
      for (int child : children_[order[i]])
        if (child != kNoChild) order.push_back(child), parents.push_back(order[i]);
    for (size_t i = order.size(); i-- > 1;) {
      Node& node = nodes_[order[i]];
      if (node.leaves == 0) node.leaves = 1;
      nodes_[parents[i]].leaves += node.leaves;
    }
  }

  std::string text_;
  std::vector<Node> nodes_;
  std::vector<std::array<int, 5>> children_;
  // The active point: length_ characters from node_ along the edge that begins as text_[edge_] does.
  int node_ = kRoot, edge_ = 0, length_ = 0, waiting_ = 0;
};

}  // namespace workloads
