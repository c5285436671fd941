// Streams and events: the order in which work runs, and when, in simulated time (CUDA C++ Programming Guide, "Streams", with the legacy
// default stream). Work is kept until something needs its results; then all that may runs side by side.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "driver_types.h"
#include "work.hpp"

namespace warpwright::cudart {
struct Capture;
}

struct CUstream_st {
  enum class Kind : warpwright::u8 { legacy, blocking, nonBlocking };
  Kind kind = Kind::blocking;
  warpwright::u32 device = 0;  // ordinal
  unsigned long long id = 0;
  int priority = 0;
  warpwright::cudart::WorkPointer last{};  // of the work issued to it; null: there was none
  // While it captures, in `captures`; what is issued to it next becomes a node behind these.
  std::shared_ptr<warpwright::cudart::Capture> capture{};
  std::vector<cudaGraphNode_t> captured{};
};

struct CUevent_st {
  unsigned int flags = 0;
  warpwright::u32 device = 0;                  // ordinal
  warpwright::cudart::WorkPointer recorded{};  // null: it was not
  // Where it was last recorded in a stream that captured: which, and behind which nodes.
  std::shared_ptr<warpwright::cudart::Capture> capture{};
  std::vector<cudaGraphNode_t> captured{};
};

namespace warpwright::cudart {

using Stream = CUstream_st;
using Event = CUevent_st;

// While one is alive on a thread, stream 0 is the thread's own default stream instead of the legacy one.
class DefaultStreamPerThread {
 public:
  DefaultStreamPerThread() : outer_(set(true)) {}
  ~DefaultStreamPerThread() { set(outer_); }
  DefaultStreamPerThread(const DefaultStreamPerThread&) = delete;
  DefaultStreamPerThread& operator=(const DefaultStreamPerThread&) = delete;

  static bool active() { return active_; }
  // Returns what it was before.
  static bool set(bool active) { return std::exchange(active_, active); }

 private:
  inline static thread_local bool active_ = false;
  bool outer_;
};

class Streams {
 public:
  // The stream of a handle; 0 is the default stream, cudaStreamLegacy the legacy one, cudaStreamPerThread the calling thread's own, each of
  // the current device. Null for a handle that is not alive.
  Stream* find(cudaStream_t handle);
  // On the current device.
  cudaStream_t create(bool nonBlocking, int priority);
  bool destroy(cudaStream_t handle);

  // Issues work to the stream: it begins after the stream's own work, after what the legacy stream's rules add, after `others` (those that
  // are not null), and not before the host has reached the call.
  WorkPointer issue(Stream& stream, Start start, std::span<const WorkPointer> others = {});
  // Adds work that no stream knows: it begins after `after`, and not before the host has reached the call.
  WorkPointer add(std::span<const WorkPointer> after, Start start) { return work_.add(host_, after, std::move(start)); }
  WorkQueue& work() { return work_; }
  // Whether work issued later could run beside work issued now: there is a stream beside the first device's legacy one.
  bool mayOverlap() const { return !created_.empty() || !perThread_.empty() || legacies_.size() > 1; }
  // After a failure: what has not ended never will.
  void abandon();

  // Whether all work has that a call which waits for the stream waits for.
  bool hasEnded(const Stream& stream) const;

  // With all work done.
  void hostWaitsFor(const WorkPointer& work);
  void hostWaitsFor(const Stream& stream);
  // For all work of the current device.
  void hostWaitsForAll();

  // Destroys the device's.
  void reset(u32 device);
  // Every stream that there is.
  std::vector<Stream*> all();

 private:
  std::vector<WorkPointer> before(const Stream& stream) const;
  WorkPointer join(const WorkPointer& one, const WorkPointer& other);
  Stream& legacyOf(u32 device);
  // All work that is the last of something, of streams there are and were.
  std::vector<WorkPointer*> lasts();

  WorkQueue work_;
  // Of those that were destroyed, all work that begins before work of the legacy stream, and all other.
  struct Destroyed {
    WorkPointer blocking, others;
  };
  std::map<u32, std::unique_ptr<Stream>> legacies_;                               // by device
  std::map<std::pair<std::thread::id, u32>, std::unique_ptr<Stream>> perThread_;  // by device, too
  std::unordered_map<cudaStream_t, std::unique_ptr<Stream>> created_;
  unsigned long long nextId_ = 3;
  u64 host_ = 0;                        // simulated nanoseconds at which the host is
  std::map<u32, Destroyed> destroyed_;  // by device
};

class Events {
 public:
  Event* find(cudaEvent_t handle);
  cudaEvent_t create(unsigned int flags);
  bool destroy(cudaEvent_t handle);
  // Destroys the device's.
  void reset(u32 device);
  // After a failure: events that wait for work which never ends were not recorded.
  void abandon();

 private:
  std::unordered_map<cudaEvent_t, std::unique_ptr<Event>> events_;
};

}  // namespace warpwright::cudart
