// Streams and events in simulated time. Work is carried out when it is issued, one piece after the other; these classes work out when it
// would have run, were streams concurrent: CUDA C++ Programming Guide, "Streams", with the legacy default stream.
#pragma once

#include <memory>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/types.hpp"
#include "driver_types.h"

// All times are simulated nanoseconds since the program began.
struct CUstream_st {
  enum class Kind : warpwright::u8 { legacy, blocking, nonBlocking };
  Kind kind = Kind::blocking;
  unsigned long long id = 0;
  int priority = 0;
  warpwright::u64 ready = 0;  // when all work issued to it is done
};

struct CUevent_st {
  unsigned int flags = 0;
  bool recorded = false;
  warpwright::u64 time = 0;
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
  // The stream of a handle; 0 is the default stream, cudaStreamLegacy the legacy one, cudaStreamPerThread the calling thread's own. Null
  // for a handle that is not alive.
  Stream* find(cudaStream_t handle);
  cudaStream_t create(bool nonBlocking, int priority);
  bool destroy(cudaStream_t handle);

  // When work issued to the stream now would begin: after the stream's own work, after what the legacy stream's rules add, and not
  // before the host has reached the call.
  u64 beginOf(const Stream& stream) const;
  // Issues work of that length; returns when it begins.
  u64 enqueue(Stream& stream, u64 nanoseconds);

  void hostWaitsFor(u64 time);
  void hostWaitsForAll();
  u64 hostTime() const { return host_; }

  void reset();

 private:
  u64 latestOfBlocking() const;

  Stream legacy_{Stream::Kind::legacy, 1, 0, 0};
  std::unordered_map<std::thread::id, std::unique_ptr<Stream>> perThread_;
  std::unordered_map<cudaStream_t, std::unique_ptr<Stream>> created_;
  unsigned long long nextId_ = 3;
  u64 host_ = 0;
  u64 destroyedBlocking_ = 0;  // when the work of streams destroyed meanwhile is done
  u64 destroyedAny_ = 0;
};

class Events {
 public:
  Event* find(cudaEvent_t handle);
  cudaEvent_t create(unsigned int flags);
  bool destroy(cudaEvent_t handle);
  void reset() { events_.clear(); }

 private:
  std::unordered_map<cudaEvent_t, std::unique_ptr<Event>> events_;
};

}  // namespace warpwright::cudart
