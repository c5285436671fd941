// Vectors that stay encoded in the levels below (section 5.1, the last remedy for bandwidth amplification).
//
// Every vector of private memory has two homes below: its 128 bytes, and a place in a region beside them, which its address gives. A line
// of the cache is then a run of places: 16 vectors are one line of 128 bytes in L2 and in DRAM, 4 are a sector. A place holds base (32
// bits) and logarithm of the stride (5 at most), of each sub-vector, and the first and last valid word (10): the paper's masks are dense
// (section 5.2). The SM, which alone uses its private memory, keeps a bit for each vector: whether its place holds words.
//
// While the bit is set, the words of the place are newer than those of both the 128 bytes and the first-level cache, and what the affine
// vector cache has of the vector, if anything, includes them. So an access has to fetch the place first, unless it writes all words.
#pragma once

#include <unordered_map>

#include "mechanisms/avc/affine_vector_cache.hpp"

namespace warpwright::mechanisms::avc {

class CompactBelow {
 public:
  CompactBelow(AffineVectorCache& cache, const Geometry& geometry)
      : cache_(cache), isOn_(geometry.compressedBelow), placesPerLine_(kVectorBytes / geometry.placeBytes()) {}

  struct Place {
    u32 first = 0, last = 0;  // valid words
    VectorForm form;

    WordMask valid() const { return static_cast<WordMask>(lowBits(last + 1) & ~lowBits(first)); }
  };
  // What the vector's place holds; null: its bit is not set.
  const Place* place(GlobalAddress address) const {
    const auto found = vectors_.find(address);
    return found == vectors_.end() ? nullptr : &found->second;
  }
  bool holds(GlobalAddress address) const { return !vectors_.empty() && vectors_.contains(address); }
  // Words of the vector are in its place and nowhere else.
  bool isNeeded(GlobalAddress address) const { return holds(address) && cache_.vector(address).valid == 0; }
  // Moves the place's words, which have come, to the cache.
  void fetched(GlobalAddress address, Evictions& out);

  // A vector leaves with its line. False: its valid words do not fit a place.
  bool keep(const EvictedVector& vector);
  // The vector is written decoded, with the words of its place.
  void forget(GlobalAddress address) { vectors_.erase(address); }
  // The first-level cache takes a write of words of the vector. Those of the place are here, and from now on only here.
  void writtenBeside(GlobalAddress address);
  // The threads have ended.
  void clear() { vectors_.clear(); }

  // Of the region with the places, the line in which that of the vector lies, and the place in the line.
  GlobalAddress lineOf(GlobalAddress address) const;
  u32 placeOf(GlobalAddress address) const { return static_cast<u32>(address / kVectorBytes % placesPerLine_); }
  // The vector whose place is that one.
  GlobalAddress vectorAt(GlobalAddress line, u32 place) const;

  std::size_t size() const { return vectors_.size(); }
  bool isOn() const { return isOn_; }
  u32 placesPerLine() const { return placesPerLine_; }

 private:
  AffineVectorCache& cache_;
  bool isOn_;
  u32 placesPerLine_;
  std::unordered_map<GlobalAddress, Place> vectors_;  // what the places hold whose bit is set
};

}  // namespace warpwright::mechanisms::avc
