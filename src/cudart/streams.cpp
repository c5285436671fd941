#include "streams.hpp"

#include <algorithm>
#include <array>

namespace warpwright::cudart {

Stream* Streams::find(cudaStream_t handle) {
  if (handle == nullptr) handle = DefaultStreamPerThread::active() ? cudaStreamPerThread : cudaStreamLegacy;
  if (handle == cudaStreamLegacy) return &legacy_;
  if (handle == cudaStreamPerThread) {
    auto& own = perThread_[std::this_thread::get_id()];
    if (!own) own = std::make_unique<Stream>(Stream{.kind = Stream::Kind::blocking, .id = 2});
    return own.get();
  }
  const auto found = created_.find(handle);
  return found == created_.end() ? nullptr : found->second.get();
}

cudaStream_t Streams::create(bool nonBlocking, int priority) {
  const auto kind = nonBlocking ? Stream::Kind::nonBlocking : Stream::Kind::blocking;
  auto stream = std::make_unique<Stream>(Stream{.kind = kind, .id = nextId_++, .priority = priority});
  const cudaStream_t handle = stream.get();
  created_.emplace(handle, std::move(stream));
  return handle;
}

bool Streams::destroy(cudaStream_t handle) {
  const auto found = created_.find(handle);
  if (found == created_.end()) return false;
  WorkPointer& destroyed = handle->kind == Stream::Kind::blocking ? destroyedBlocking_ : destroyedOthers_;
  destroyed = join(destroyed, handle->last);
  created_.erase(found);
  return true;
}

// What ends when both have.
WorkPointer Streams::join(const WorkPointer& one, const WorkPointer& other) {
  if (!one || !other) return one ? one : other;
  return work_.join(std::array{one, other});
}

// What work issued to the stream now waits for.
std::vector<WorkPointer> Streams::before(const Stream& stream) const {
  std::vector<WorkPointer> result{stream.last};
  if (stream.kind == Stream::Kind::blocking) result.push_back(legacy_.last);
  if (stream.kind != Stream::Kind::legacy) return result;
  result.push_back(destroyedBlocking_);
  for (const auto& [thread, own] : perThread_) result.push_back(own->last);
  for (const auto& [handle, created] : created_)
    if (created->kind == Stream::Kind::blocking) result.push_back(created->last);
  return result;
}

WorkPointer Streams::issue(Stream& stream, Start start, std::span<const WorkPointer> others) {
  std::vector<WorkPointer> after = before(stream);
  after.insert(after.end(), others.begin(), others.end());
  stream.last = work_.add(host_, after, std::move(start));
  return stream.last;
}

std::vector<Stream*> Streams::all() {
  std::vector<Stream*> result{&legacy_};
  for (const auto& [thread, stream] : perThread_) result.push_back(stream.get());
  for (const auto& [handle, stream] : created_) result.push_back(stream.get());
  return result;
}

std::vector<WorkPointer*> Streams::lasts() {
  std::vector<WorkPointer*> result{&destroyedBlocking_, &destroyedOthers_};
  for (Stream* stream : all()) result.push_back(&stream->last);
  return result;
}

void Streams::abandon() {
  work_.abandon();
  for (WorkPointer* last : lasts())
    if (*last && !(*last)->end) last->reset();
}

bool Streams::hasEnded(const Stream& stream) const {
  const std::vector<WorkPointer> awaited = before(stream);
  return std::all_of(awaited.begin(), awaited.end(), [](const WorkPointer& work) { return !work || work->end; });
}

void Streams::hostWaitsFor(const WorkPointer& work) {
  if (work && work->end) host_ = std::max(host_, *work->end);
}

void Streams::hostWaitsFor(const Stream& stream) {
  for (const WorkPointer& work : before(stream)) hostWaitsFor(work);
}

void Streams::hostWaitsForAll() {
  for (const WorkPointer* last : lasts()) hostWaitsFor(*last);
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

void Events::abandon() {
  for (const auto& [handle, event] : events_)
    if (event->recorded && !event->recorded->end) event->recorded.reset();
}

bool Events::destroy(cudaEvent_t handle) { return events_.erase(handle) > 0; }

}  // namespace warpwright::cudart
