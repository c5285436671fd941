// Stream capture: the runtime's under the driver's names.
#define WARPWRIGHT_API_WITHOUT_OVERLOADS
#include "call.hpp"

using namespace warpwright::cuda;

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return forward(Needs::context, [&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     size_t count, CUstreamCaptureMode mode) {
  return forward(Needs::context, [&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, reinterpret_cast<const cudaGraphEdgeData*>(edges), count,
                                         static_cast<cudaStreamCaptureMode>(mode));
  });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return forward(Needs::context, [&] { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return forward(Needs::context, [&] { return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status)); });
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return forward(Needs::context, [&] {
    return cudaStreamGetCaptureInfo(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status), reinterpret_cast<unsigned long long*>(id));
  });
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, size_t* count) {
  return forward(Needs::context, [&] {
    return cudaStreamGetCaptureInfo_v2(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                       reinterpret_cast<unsigned long long*>(id), graph, dependencies, count);
  });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count) {
  return forward(Needs::context, [&] {
    return cudaStreamGetCaptureInfo_v3(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                       reinterpret_cast<unsigned long long*>(id), graph, dependencies,
                                       reinterpret_cast<const cudaGraphEdgeData**>(edges), count);
  });
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags); });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* edges, size_t count,
                                              unsigned int flags) {
  return forward(Needs::context, [&] {
    return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, reinterpret_cast<const cudaGraphEdgeData*>(edges), count, flags);
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return forward(Needs::context, [&] { return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode)); });
}
