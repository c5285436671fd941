// What an affine vector cache holds and how it changes (section 4 of the paper). No time: the link (link.hpp) adds it. The first-level
// cache beside it and the memory behind both are the caller's, who is told what leaves.
//
// A word is in one of three: here, when its bit in the valid mask of its vector is set; else in the first-level cache, when the line
// is there; else in memory. What the first-level cache has of a word that is valid here is out of date.
#pragma once

#include <vector>

#include "mechanisms/avc/placement.hpp"
#include "mechanisms/avc/statistics.hpp"
#include "mechanisms/avc/vector_form.hpp"

namespace warpwright::mechanisms::avc {

// A vector that leaves. Dirty: its words have to be written to memory together with what the first-level cache has changed of the other
// words of the vector, and the copy there is dropped. Not dirty: memory has its words, and nothing needs to be done.
struct EvictedVector {
  GlobalAddress address;
  WordMask valid = 0;
  VectorForm form;
  bool dirty = false;
  bool withLine = false;  // all of its line leaves; otherwise what is newer of the vector stays or comes
};
using Evictions = std::vector<EvictedVector>;

// Where a read finds words.
enum class Source : u8 { here, levelOne, memory };

class AffineVectorCache {
 public:
  // In an array of its own, or where `placement` says.
  explicit AffineVectorCache(const Geometry& geometry);
  AffineVectorCache(const Geometry& geometry, std::unique_ptr<Placement> placement);

  // Addresses are those of vectors: multiples of kVectorBytes. Masks are not empty.
  struct Vector {
    VectorForm form;
    WordMask valid = 0;
    bool dirty = false;  // memory does not have it
  };
  // Without valid words when there is none.
  Vector vector(GlobalAddress address) const;

  // Algorithm 1, up to what memory is asked for.
  struct Read {
    Source source = Source::memory;
    WordMask words = 0;  // here: those of the mask that were found; the access is replayed for the others
    VectorForm form;
  };
  Read read(GlobalAddress address, WordMask mask, bool levelOneHolds);
  // Algorithm 1, what memory gave for a read of `mask`, none of which is valid here. False: it is the first-level cache's to keep.
  bool fill(GlobalAddress address, WordMask mask, const VectorEncoding& data, Evictions& out);
  // Algorithm 2. False: the first-level cache takes the write.
  bool write(GlobalAddress address, WordMask mask, const VectorEncoding& data, Evictions& out);
  // A write of a part of each word, which the first-level cache takes. A valid bit stands for a whole word, so a vector that has such words
  // leaves first.
  void writePartly(GlobalAddress address, WordMask mask, Evictions& out);

  // Words of which there is a newer copy elsewhere.
  void drop(GlobalAddress address, WordMask mask);
  // All that memory has as well.
  void dropClean();
  // Memory has lost its copy of the vector, if there is one here.
  void markDirty(GlobalAddress address);
  // One vector leaves; no such vector: nothing.
  void evictVector(GlobalAddress address, Evictions& out);
  // The line of the vector leaves, with all that it holds.
  void evictLine(GlobalAddress address, Evictions& out);
  // Everything leaves.
  void evictAll(Evictions& out);

  const StateStats& stats() const { return stats_; }

 private:
  u64 lineOf(GlobalAddress address) const { return address / geometry_.lineBytes(); }
  Vector* find(GlobalAddress address);
  const Vector* find(GlobalAddress address) const;
  Vector* vectorsOf(u32 frame) { return vectors_.data() + u64{frame} * geometry_.vectorsPerLine; }
  u32 frameFor(u64 line, Evictions& out);
  void makeRoom(u32 frame, Evictions& out);
  void retire(u64 line, Vector* vectors, Evictions& out);
  bool merge(GlobalAddress address, WordMask mask, const VectorForm& form, u64& conflicts, bool dirty, Evictions& out);
  void evict(Vector& vector, GlobalAddress address, bool withLine, Evictions& out);

  Geometry geometry_;
  std::unique_ptr<Placement> lines_;
  std::vector<Vector> vectors_;  // by frame and number in the line
  OwnPlacement victims_;
  std::vector<Vector> victimVectors_;
  StateStats stats_;
};

}  // namespace warpwright::mechanisms::avc
