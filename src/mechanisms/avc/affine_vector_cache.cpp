#include "mechanisms/avc/affine_vector_cache.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::mechanisms::avc {
namespace {

// A fully associative cache of the evicted lines, the oldest of which goes.
Geometry victimsOf(const Geometry& geometry) {
  return {.bytes = u64{geometry.victimLines} * geometry.vectorsPerLine * geometry.placeBytes(),
          .ways = std::max(1u, geometry.victimLines),
          .vectorsPerLine = geometry.vectorsPerLine,
          .subVectors = geometry.subVectors,
          .replacement = "lru"};
}

}  // namespace

AffineVectorCache::AffineVectorCache(const Geometry& geometry) : AffineVectorCache(geometry, std::make_unique<OwnPlacement>(geometry)) {}

AffineVectorCache::AffineVectorCache(const Geometry& geometry, std::unique_ptr<Placement> placement)
    : geometry_(geometry),
      lines_(std::move(placement)),
      vectors_(u64{lines_->frames()} * geometry.vectorsPerLine),
      victims_(victimsOf(geometry)),
      victimVectors_(u64{victims_.frames()} * geometry.vectorsPerLine) {}

auto AffineVectorCache::find(GlobalAddress address) -> Vector* { return const_cast<Vector*>(std::as_const(*this).find(address)); }

auto AffineVectorCache::find(GlobalAddress address) const -> const Vector* {
  const u64 line = lineOf(address), index = address / kVectorBytes % geometry_.vectorsPerLine;
  if (const u32 frame = lines_->find(line); frame != kNowhere) return &vectors_[u64{frame} * geometry_.vectorsPerLine + index];
  if (geometry_.victimLines == 0) return nullptr;
  const u32 frame = victims_.find(line);
  return frame == kNowhere ? nullptr : &victimVectors_[u64{frame} * geometry_.vectorsPerLine + index];
}

auto AffineVectorCache::vector(GlobalAddress address) const -> Vector {
  const Vector* vector = find(address);
  return vector ? *vector : Vector{};
}

auto AffineVectorCache::read(GlobalAddress address, WordMask mask, bool levelOneHolds) -> Read {
  const Vector* vector = find(address);
  if (!vector || (vector->valid & mask) == 0) return {levelOneHolds ? Source::levelOne : Source::memory, 0, {}};
  if (const u32 frame = lines_->find(lineOf(address)); frame != kNowhere) lines_->touch(frame);
  return {Source::here, vector->valid & mask, vector->form};
}

bool AffineVectorCache::fill(GlobalAddress address, WordMask mask, const VectorEncoding& data, Evictions& out) {
  if (!data.succeeded) return false;
  return merge(address, mask, data.form, stats_.fillConflicts, false, out);
}

bool AffineVectorCache::write(GlobalAddress address, WordMask mask, const VectorEncoding& data, Evictions& out) {
  if (data.succeeded && merge(address, mask, data.form, stats_.writeConflicts, true, out)) return true;
  drop(address, mask);
  return false;
}

void AffineVectorCache::drop(GlobalAddress address, WordMask mask) {
  Vector* vector = find(address);
  if (!vector) return;
  vector->valid &= ~mask;
  if (vector->valid == 0) vector->dirty = false;
}

void AffineVectorCache::dropClean() {
  for (std::vector<Vector>* vectors : {&vectors_, &victimVectors_}) {
    for (Vector& vector : *vectors) {
      if (!vector.dirty) vector = {};
    }
  }
}

void AffineVectorCache::markDirty(GlobalAddress address) {
  if (Vector* vector = find(address); vector && vector->valid != 0) vector->dirty = true;
}

void AffineVectorCache::writePartly(GlobalAddress address, WordMask mask, Evictions& out) {
  Vector* vector = find(address);
  if (vector && (vector->valid & mask) != 0) evict(*vector, address, false, out);
}

// A sub-vector has one base and stride: when words with another one are not replaced by the new ones, the vector has to leave. False: there
// is no frame.
bool AffineVectorCache::merge(GlobalAddress address, WordMask mask, const VectorForm& form, u64& conflicts, bool dirty, Evictions& out) {
  const u32 at = frameFor(lineOf(address), out);
  if (at == kNowhere) return false;
  lines_->touch(at);
  Vector& vector = vectorsOf(at)[address / kVectorBytes % geometry_.vectorsPerLine];
  const WordMask differing = vector.form.differing(form, mask);
  vector.valid &= ~(mask & differing);  // what is overwritten need not be kept
  if ((vector.valid & differing) != 0) {
    ++conflicts;
    evict(vector, address, false, out);
  }
  if (vector.valid == 0) vector = {form, 0, false};
  vector.form.take(form, mask);
  vector.valid |= mask;
  vector.dirty |= dirty;
  return true;
}

void AffineVectorCache::evictVector(GlobalAddress address, Evictions& out) {
  if (Vector* vector = find(address)) evict(*vector, address, false, out);
}

void AffineVectorCache::evict(Vector& vector, GlobalAddress address, bool withLine, Evictions& out) {
  if (vector.valid == 0) return;
  ++stats_.vectorEvictions;
  if (vector.dirty) ++stats_.dirtyVectors;
  out.push_back({address, vector.valid, vector.form, vector.dirty, withLine});
  vector = {};
}

// The frame of the line, which is made if there is none.
u32 AffineVectorCache::frameFor(u64 line, Evictions& out) {
  if (const u32 known = lines_->find(line); known != kNowhere) return known;
  const u32 room = lines_->roomFor(line);
  if (room == kNowhere) return kNowhere;
  const u32 kept = geometry_.victimLines == 0 ? kNowhere : victims_.find(line);
  if (kept == kNowhere) {
    makeRoom(room, out);
  } else {
    // The lines change their frames.
    ++stats_.victimHits;
    std::swap_ranges(vectorsOf(room), vectorsOf(room) + geometry_.vectorsPerLine,
                     victimVectors_.begin() + u64{kept} * geometry_.vectorsPerLine);
    const bool wasEmpty = lines_->isEmpty(room);
    victims_.clear(kept);
    if (!wasEmpty) victims_.install(kept, lines_->lineAt(room));
  }
  lines_->install(room, line);
  return room;
}

// Empties a frame: its line goes to the victim cache, from which another one may have to leave for it.
void AffineVectorCache::makeRoom(u32 frame, Evictions& out) {
  if (lines_->isEmpty(frame)) return;
  const u64 line = lines_->lineAt(frame);
  Vector* leaving = vectorsOf(frame);
  lines_->clear(frame);
  if (geometry_.victimLines == 0) return retire(line, leaving, out);
  const u32 room = victims_.roomFor(line);
  Vector* kept = victimVectors_.data() + u64{room} * geometry_.vectorsPerLine;
  if (!victims_.isEmpty(room)) retire(victims_.lineAt(room), kept, out);
  std::swap_ranges(leaving, leaving + geometry_.vectorsPerLine, kept);
  victims_.install(room, line);
}

void AffineVectorCache::retire(u64 line, Vector* vectors, Evictions& out) {
  ++stats_.lineEvictions;
  const GlobalAddress first(line * geometry_.lineBytes());
  for (u32 i = 0; i < geometry_.vectorsPerLine; ++i) evict(vectors[i], first + u64{i} * kVectorBytes, true, out);
}

void AffineVectorCache::evictLine(GlobalAddress address, Evictions& out) {
  const u64 line = lineOf(address);
  if (const u32 frame = lines_->find(line); frame != kNowhere) {
    lines_->clear(frame);
    return retire(line, vectorsOf(frame), out);
  }
  const u32 frame = geometry_.victimLines == 0 ? kNowhere : victims_.find(line);
  if (frame == kNowhere) return;
  victims_.clear(frame);
  retire(line, victimVectors_.data() + u64{frame} * geometry_.vectorsPerLine, out);
}

void AffineVectorCache::evictAll(Evictions& out) {
  for (u32 frame = 0; frame < lines_->frames(); ++frame) {
    if (!lines_->isEmpty(frame)) evictLine(GlobalAddress(lines_->lineAt(frame) * geometry_.lineBytes()), out);
  }
  for (u32 frame = 0; frame < victims_.frames(); ++frame) {
    if (!victims_.isEmpty(frame)) evictLine(GlobalAddress(victims_.lineAt(frame) * geometry_.lineBytes()), out);
  }
}

}  // namespace warpwright::mechanisms::avc
