#include "streams.hpp"

#include <algorithm>

namespace warpwright::cudart {

Stream* Streams::find(cudaStream_t handle) {
  if (handle == nullptr) handle = DefaultStreamPerThread::active() ? cudaStreamPerThread : cudaStreamLegacy;
  if (handle == cudaStreamLegacy) return &legacy_;
  if (handle == cudaStreamPerThread) {
    auto& own = perThread_[std::this_thread::get_id()];
    if (!own) own = std::make_unique<Stream>(Stream{Stream::Kind::blocking, 2, 0, 0});
    return own.get();
  }
  const auto found = created_.find(handle);
  return found == created_.end() ? nullptr : found->second.get();
}

cudaStream_t Streams::create(bool nonBlocking, int priority) {
  const auto kind = nonBlocking ? Stream::Kind::nonBlocking : Stream::Kind::blocking;
  auto stream = std::make_unique<Stream>(Stream{kind, nextId_++, priority, 0});
  const cudaStream_t handle = stream.get();
  created_.emplace(handle, std::move(stream));
  return handle;
}

bool Streams::destroy(cudaStream_t handle) {
  const auto found = created_.find(handle);
  if (found == created_.end()) return false;
  destroyedAny_ = std::max(destroyedAny_, handle->ready);
  if (handle->kind == Stream::Kind::blocking) destroyedBlocking_ = std::max(destroyedBlocking_, handle->ready);
  created_.erase(found);
  return true;
}

u64 Streams::latestOfBlocking() const {
  u64 latest = std::max(destroyedBlocking_, legacy_.ready);
  for (const auto& [thread, stream] : perThread_) latest = std::max(latest, stream->ready);
  for (const auto& [handle, stream] : created_)
    if (stream->kind == Stream::Kind::blocking) latest = std::max(latest, stream->ready);
  return latest;
}

u64 Streams::beginOf(const Stream& stream) const {
  const u64 own = std::max(host_, stream.ready);
  switch (stream.kind) {
    case Stream::Kind::legacy:
      return std::max(own, latestOfBlocking());
    case Stream::Kind::blocking:
      return std::max(own, legacy_.ready);
    case Stream::Kind::nonBlocking:
      return own;
  }
  return own;
}

u64 Streams::enqueue(Stream& stream, u64 nanoseconds) {
  const u64 begin = beginOf(stream);
  stream.ready = begin + nanoseconds;
  return begin;
}

void Streams::hostWaitsFor(u64 time) { host_ = std::max(host_, time); }

void Streams::hostWaitsForAll() {
  u64 latest = std::max(latestOfBlocking(), destroyedAny_);
  for (const auto& [handle, stream] : created_) latest = std::max(latest, stream->ready);
  hostWaitsFor(latest);
}

void Streams::reset() {
  hostWaitsForAll();
  created_.clear();
}

Event* Events::find(cudaEvent_t handle) {
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : found->second.get();
}

cudaEvent_t Events::create(unsigned int flags) {
  auto event = std::make_unique<Event>();
  event->flags = flags;
  const cudaEvent_t handle = event.get();
  events_.emplace(handle, std::move(event));
  return handle;
}

bool Events::destroy(cudaEvent_t handle) { return events_.erase(handle) > 0; }

}  // namespace warpwright::cudart
