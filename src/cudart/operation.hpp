// What programs give to streams, and put into nodes of graphs.
#pragma once

#include <variant>

#include "copy.hpp"
#include "launch.hpp"

namespace warpwright::cudart {

struct HostCall {
  cudaHostFn_t function = nullptr;
  void* userData = nullptr;
};
struct ChildGraph {
  Graph* graph = nullptr;  // the node's own
};
struct Nothing {};
struct EventWait {
  cudaEvent_t event = nullptr;
};
struct EventRecord {
  cudaEvent_t event = nullptr;
};

// In the order of cudaGraphNodeType.
using Operation = std::variant<KernelCall, Copy, Fill, HostCall, ChildGraph, Nothing, EventWait, EventRecord>;

struct NodeContent {
  Operation operation;
};

// What a call wants of a stream.
enum class Purpose {
  issue,       // that work follows the stream's
  uncaptured,  // the same, but for work that cannot be a node of a graph
  wait,        // to wait for the stream, or to ask about it
};

// The stream that a call names, when the rules of capture allow the call. What they forbid spoils the captures that it would have to do
// with.
struct Target {
  cudaError_t status = cudaSuccess;
  Stream* stream = nullptr;  // null unless successful
};
Target targetOf(Context& context, cudaStream_t handle, Purpose purpose);

// Makes the operation a node behind those of the stream, which captures.
cudaError_t capture(Context& context, Stream& stream, Operation operation);

// Gives it to the stream: to its graph while it captures, else to its work.
cudaError_t issueHostCall(Context& context, const HostCall& call, cudaStream_t stream);

// Launches the instance into the stream.
cudaError_t launch(Context& context, GraphInstance& instance, cudaStream_t stream);

}  // namespace warpwright::cudart
