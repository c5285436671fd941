// Stream capture: what is issued to a stream becomes nodes of a graph instead of work (CUDA C++ Programming Guide, "Creating a Graph Using
// Stream Capture").
#pragma once

#include <memory>
#include <span>
#include <thread>

#include "graph.hpp"
#include "streams.hpp"

namespace warpwright::cudart {

struct Capture {
  unsigned long long id = 0;
  Graph* graph = nullptr;
  bool ownsGraph = true;  // it was made for the capture
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;    // that began it
  Stream* origin = nullptr;  // where it began and has to end; null once it has ended
  bool invalidated = false;
};

class Captures {
 public:
  Captures(Streams& streams, Graphs& graphs) : streams_(streams), graphs_(graphs) {}

  // Nodes follow `after` in `graph`; null: a new graph.
  cudaError_t begin(Stream& stream, cudaStreamCaptureMode mode, Graph* graph, std::span<Node* const> after);
  // Gives the graph; null where the capture failed.
  cudaError_t end(Stream& stream, cudaGraph_t* graph);
  // Of all: their graphs are destroyed.
  void abandon();
  // Before a stream is destroyed.
  void forget(Stream& stream);

  // What the rules say to a call that gives work to the stream.
  cudaError_t refuseIssue(Stream& stream);
  // The same where the work cannot be a node of a graph.
  cudaError_t refuseUncaptured(Stream& stream);
  // To one that is not safe during capture: whether this thread may make it.
  cudaError_t refuseUnsafe();
  // To one that waits for, or asks about, a stream.
  cudaError_t refuseWait(Stream& stream);
  // The same about all work of the device.
  cudaError_t refuseWaitForAll();
  // The same about what an event was recorded behind.
  cudaError_t refuseWait(Event& event);

  cudaError_t record(Event& event, Stream& stream);
  // The stream, which captures or begins to by this, waits for the event, or for what it was recorded behind.
  cudaError_t wait(Stream& stream, const Event& event);

  // How this thread's calls are judged; returns what it was before.
  static cudaStreamCaptureMode exchangeMode(cudaStreamCaptureMode mode);

 private:
  std::vector<Stream*> capturing();
  void finish(Capture& capture);
  bool isJoined(const Capture& capture);

  Streams& streams_;
  Graphs& graphs_;
  unsigned long long nextId_ = 1;
};

}  // namespace warpwright::cudart
