#include "streams.hpp"

#include <algorithm>
#include <array>

#include "current_device.hpp"

namespace warpwright::cudart {

Stream& Streams::legacyOf(u32 device) {
  auto& legacy = legacies_[device];
  if (!legacy) legacy = std::make_unique<Stream>(Stream{.kind = Stream::Kind::legacy, .device = device, .id = 1});
  return *legacy;
}

Stream* Streams::find(cudaStream_t handle) {
  if (handle == nullptr) handle = DefaultStreamPerThread::active() ? cudaStreamPerThread : cudaStreamLegacy;
  if (handle == cudaStreamLegacy) return &legacyOf(CurrentDevice::ordinal());
  if (handle == cudaStreamPerThread) {
    const u32 device = CurrentDevice::ordinal();
    auto& own = perThread_[{std::this_thread::get_id(), device}];
    if (!own) own = std::make_unique<Stream>(Stream{.kind = Stream::Kind::blocking, .device = device, .id = 2});
    return own.get();
  }
  const auto found = created_.find(handle);
  return found == created_.end() ? nullptr : found->second.get();
}

cudaStream_t Streams::create(bool nonBlocking, int priority) {
  const auto kind = nonBlocking ? Stream::Kind::nonBlocking : Stream::Kind::blocking;
  auto stream = std::make_unique<Stream>(Stream{.kind = kind, .device = CurrentDevice::ordinal(), .id = nextId_++, .priority = priority});
  const cudaStream_t handle = stream.get();
  created_.emplace(handle, std::move(stream));
  return handle;
}

bool Streams::destroy(cudaStream_t handle) {
  const auto found = created_.find(handle);
  if (found == created_.end()) return false;
  Destroyed& destroyed = destroyed_[handle->device];
  WorkPointer& last = handle->kind == Stream::Kind::blocking ? destroyed.blocking : destroyed.others;
  last = join(last, handle->last);
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
  const auto legacy = legacies_.find(stream.device);
  if (stream.kind == Stream::Kind::blocking && legacy != legacies_.end()) result.push_back(legacy->second->last);
  if (stream.kind != Stream::Kind::legacy) return result;
  if (const auto destroyed = destroyed_.find(stream.device); destroyed != destroyed_.end()) result.push_back(destroyed->second.blocking);
  const auto add = [&](const Stream& other) {
    if (other.device == stream.device && other.kind == Stream::Kind::blocking) result.push_back(other.last);
  };
  for (const auto& [thread, own] : perThread_) add(*own);
  for (const auto& [handle, created] : created_) add(*created);
  return result;
}

WorkPointer Streams::issue(Stream& stream, Start start, std::span<const WorkPointer> others) {
  std::vector<WorkPointer> after = before(stream);
  after.insert(after.end(), others.begin(), others.end());
  stream.last = work_.add(host_, after, std::move(start));
  return stream.last;
}

std::vector<Stream*> Streams::all() {
  std::vector<Stream*> result;
  for (const auto& [device, stream] : legacies_) result.push_back(stream.get());
  for (const auto& [thread, stream] : perThread_) result.push_back(stream.get());
  for (const auto& [handle, stream] : created_) result.push_back(stream.get());
  return result;
}

std::vector<WorkPointer*> Streams::lasts() {
  std::vector<WorkPointer*> result;
  for (auto& [device, destroyed] : destroyed_) result.insert(result.end(), {&destroyed.blocking, &destroyed.others});
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
  const u32 device = CurrentDevice::ordinal();
  for (const Stream* stream : all())
    if (stream->device == device) hostWaitsFor(stream->last);
  hostWaitsFor(destroyed_[device].blocking);
  hostWaitsFor(destroyed_[device].others);
}

void Streams::reset(u32 device) {
  hostWaitsForAll();
  std::erase_if(created_, [&](const auto& each) { return each.second->device == device; });
}

Event* Events::find(cudaEvent_t handle) {
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : found->second.get();
}

cudaEvent_t Events::create(unsigned int flags) {
  auto event = std::make_unique<Event>();
  event->flags = flags;
  event->device = CurrentDevice::ordinal();
  const cudaEvent_t handle = event.get();
  events_.emplace(handle, std::move(event));
  return handle;
}

void Events::reset(u32 device) {
  std::erase_if(events_, [&](const auto& each) { return each.second->device == device; });
}

void Events::abandon() {
  for (const auto& [handle, event] : events_)
    if (event->recorded && !event->recorded->end) event->recorded.reset();
}

bool Events::destroy(cudaEvent_t handle) { return events_.erase(handle) > 0; }

}  // namespace warpwright::cudart
