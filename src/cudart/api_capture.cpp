// Stream capture.
#include "cuda_runtime_api.h"
#include "operation.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

bool isMode(cudaStreamCaptureMode mode) { return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed; }

// What a stream's capture is, for all forms of the question. Pointers may be null, but for `status`.
struct CaptureQuestion {
  cudaStreamCaptureStatus* status = nullptr;
  unsigned long long* id = nullptr;
  cudaGraph_t* graph = nullptr;
  const cudaGraphNode_t** dependencies = nullptr;
  const cudaGraphEdgeData** edges = nullptr;
  size_t* count = nullptr;
};

void answer(const CaptureQuestion& question, const Stream& stream) {
  const Capture& capture = *stream.capture;
  if (question.id) *question.id = capture.id;
  if (question.graph) *question.graph = capture.graph;
  if (question.dependencies) *question.dependencies = stream.captured.data();
  if (question.edges) *question.edges = nullptr;  // all edges are plain ones
  if (question.count) *question.count = stream.captured.size();
}

cudaError_t captureInformation(cudaStream_t handle, const CaptureQuestion& question) {
  return call([&](Context& context) {
    if (!question.status) return cudaErrorInvalidValue;
    Stream* const stream = context.streams.find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!stream->capture) {
      // The legacy stream cannot be asked while another's work would have to wait for it.
      const cudaError_t refused = context.captures.refuseIssue(*stream);
      if (refused == cudaSuccess) *question.status = cudaStreamCaptureStatusNone;
      return refused;
    }
    *question.status = stream->capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    if (!stream->capture->invalidated) answer(question, *stream);
    return cudaSuccess;
  });
}

cudaError_t update(Stream& stream, std::span<Node* const> nodes, unsigned int flags) {
  if (flags == cudaStreamSetCaptureDependencies) stream.captured.clear();
  for (Node* const node : nodes)
    if (std::find(stream.captured.begin(), stream.captured.end(), node) == stream.captured.end()) stream.captured.push_back(node);
  return cudaSuccess;
}

bool areNodesOf(Context& context, const Graph& graph, std::span<Node* const> nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](cudaGraphNode_t node) { return context.graphs.find(node) && node->graph == &graph; });
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call([&](Context& context) {
    if (!isMode(mode)) return cudaErrorInvalidValue;
    Stream* const stream = context.streams.find(handle);
    return stream ? context.captures.begin(*stream, mode, nullptr, {}) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graphHandle, const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count, cudaStreamCaptureMode mode) {
  return call([&](Context& context) {
    Graph* const graph = context.graphs.find(graphHandle);
    if (!graph || graph->capturing || !isMode(mode) || (count > 0 && !dependencies)) return cudaErrorInvalidValue;
    const std::span nodes(dependencies, count);
    if (!areNodesOf(context, *graph, nodes)) return cudaErrorInvalidValue;
    Stream* const stream = context.streams.find(handle);
    return stream ? context.captures.begin(*stream, mode, graph, nodes) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call([&](Context& context) {
    if (!graph) return cudaErrorInvalidValue;
    Stream* const stream = context.streams.find(handle);
    return stream ? context.captures.end(*stream, graph) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return captureInformation(stream, {.status = status});
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id) {
  return captureInformation(stream, {.status = status, .id = id});
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, size_t* count) {
  return captureInformation(stream, {status, id, graph, dependencies, nullptr, count});
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges, size_t* count) {
  return captureInformation(stream, {status, id, graph, dependencies, edges, count});
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies, size_t count, unsigned int flags) {
  return call([&](Context& context) {
    Stream* const stream = context.streams.find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (flags > cudaStreamSetCaptureDependencies || (count > 0 && !dependencies)) return cudaErrorInvalidValue;
    if (!stream->capture) return cudaErrorIllegalState;
    const std::span<Node* const> nodes(dependencies, count);
    return areNodesOf(context, *stream->capture->graph, nodes) ? update(*stream, nodes, flags) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                                   size_t count, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (!mode || !isMode(*mode)) return record(cudaErrorInvalidValue);
  *mode = Captures::exchangeMode(*mode);
  return cudaSuccess;
}
