#include "capture.hpp"

#include <algorithm>
#include <utility>

#include "operation.hpp"

namespace warpwright::cudart {
namespace {

thread_local cudaStreamCaptureMode modeOfThread = cudaStreamCaptureModeGlobal;

// Whether a thread's calls that are not safe during capture would disturb this one.
bool forbidsUnsafe(const Capture& capture) {
  if (modeOfThread == cudaStreamCaptureModeRelaxed) return false;
  if (capture.thread == std::this_thread::get_id()) return capture.mode != cudaStreamCaptureModeRelaxed;
  return modeOfThread == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
}

void append(std::vector<cudaGraphNode_t>& nodes, const std::vector<cudaGraphNode_t>& more) {
  for (const cudaGraphNode_t node : more)
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
}

}  // namespace

cudaStreamCaptureMode Captures::exchangeMode(cudaStreamCaptureMode mode) { return std::exchange(modeOfThread, mode); }

std::vector<Stream*> Captures::capturing() {
  std::vector<Stream*> result = streams_.all();
  std::erase_if(result, [](const Stream* stream) { return !stream->capture; });
  return result;
}

cudaError_t Captures::begin(Stream& stream, cudaStreamCaptureMode mode, Graph* graph, std::span<Node* const> after) {
  if (stream.kind == Stream::Kind::legacy) return cudaErrorStreamCaptureUnsupported;
  if (stream.capture) return cudaErrorIllegalState;
  const bool isNew = !graph;
  if (isNew) graph = &graphs_.create();
  graph->capturing = true;
  stream.capture = std::make_shared<Capture>(Capture{nextId_++, graph, isNew, mode, std::this_thread::get_id(), &stream, false});
  stream.captured.assign(after.begin(), after.end());
  return cudaSuccess;
}

// Whether the origin waits for all that was captured in other streams.
bool Captures::isJoined(const Capture& capture) {
  return std::ranges::all_of(capturing(), [&](const Stream* stream) {
    if (stream->capture.get() != &capture) return true;
    return std::ranges::all_of(stream->captured, [&](const Node* node) { return isReachable(*node, capture.origin->captured); });
  });
}

void Captures::finish(Capture& capture) {
  capture.graph->capturing = false;
  capture.origin = nullptr;
  for (Stream* const stream : capturing()) {
    if (stream->capture.get() != &capture) continue;
    stream->captured.clear();
    stream->capture.reset();
  }
}

cudaError_t Captures::end(Stream& stream, cudaGraph_t* graph) {
  *graph = nullptr;
  if (!stream.capture) return cudaErrorIllegalState;
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture->origin != &stream) {
    capture->invalidated = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  const bool joined = isJoined(*capture);
  finish(*capture);
  if (!capture->invalidated && joined) {
    *graph = capture->graph;
    return cudaSuccess;
  }
  if (capture->ownsGraph) graphs_.destroy(*capture->graph);
  return capture->invalidated ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined;
}

void Captures::abandon() {
  for (Stream* const stream : capturing()) {
    const std::shared_ptr<Capture> capture = stream->capture;
    if (!capture) continue;
    finish(*capture);
    if (capture->ownsGraph) graphs_.destroy(*capture->graph);
  }
}

void Captures::forget(Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (!capture) return;
  capture->invalidated = true;
  if (capture->origin != &stream) return;
  finish(*capture);
  if (capture->ownsGraph) graphs_.destroy(*capture->graph);
}

cudaError_t Captures::refuseIssue(Stream& stream) {
  if (stream.capture) return stream.capture->invalidated ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (stream.kind != Stream::Kind::legacy) return cudaSuccess;
  bool implicit = false;
  for (Stream* const other : capturing()) {
    if (other->kind == Stream::Kind::nonBlocking) continue;
    implicit = other->capture->invalidated = true;
  }
  return implicit ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t Captures::refuseUnsafe() {
  bool forbidden = false;
  for (Stream* const stream : capturing())
    if (forbidsUnsafe(*stream->capture)) forbidden = stream->capture->invalidated = true;
  return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t Captures::refuseUncaptured(Stream& stream) {
  if (const cudaError_t refused = refuseIssue(stream); refused != cudaSuccess || !stream.capture) return refused;
  stream.capture->invalidated = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t Captures::refuseWait(Stream& stream) {
  const cudaError_t refused = refuseUncaptured(stream);
  return refused == cudaSuccess ? refuseUnsafe() : refused;
}

cudaError_t Captures::refuseWaitForAll() {
  const std::vector<Stream*> all = capturing();
  for (Stream* const stream : all) stream->capture->invalidated = true;
  return all.empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t Captures::refuseWait(Event& event) {
  if (!event.capture) return refuseUnsafe();
  event.capture->invalidated = true;
  return cudaErrorCapturedEvent;
}

cudaError_t Captures::record(Event& event, Stream& stream) {
  event.recorded.reset();
  event.capture = stream.capture;
  event.captured = stream.captured;
  return cudaSuccess;
}

cudaError_t Captures::wait(Stream& stream, const Event& event) {
  if (!event.capture) {
    stream.capture->invalidated = true;
    return cudaErrorStreamCaptureIsolation;
  }
  if (event.capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (!event.capture->origin) return cudaErrorCapturedEvent;
  if (stream.kind == Stream::Kind::legacy) {
    event.capture->invalidated = true;
    return cudaErrorStreamCaptureImplicit;
  }
  if (stream.capture && stream.capture != event.capture) {
    stream.capture->invalidated = event.capture->invalidated = true;
    return cudaErrorStreamCaptureMerge;
  }
  stream.capture = event.capture;
  append(stream.captured, event.captured);
  return cudaSuccess;
}

}  // namespace warpwright::cudart
