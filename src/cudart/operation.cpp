#include "operation.hpp"

#include <unordered_map>

#include "cuda_graph_types.h"
#include "messages.hpp"

namespace warpwright::cudart {
namespace {

// Makes work of the nodes of an instance: each begins when those before it have ended.
class Issue {
 public:
  Issue(Context& context, const GraphInstance& instance, const Stream& stream)
      : context_(context), byNode_((instance.flags & cudaGraphInstantiateFlagUseNodePriority) != 0), priority_(stream.priority) {}

  // What ends when all of the graph has.
  WorkPointer issue(const Graph& graph, const WorkPointer& begin) {
    std::unordered_map<const Node*, WorkPointer> ends;
    std::vector<WorkPointer> leaves{begin};
    for (const Node* const node : inOrder(graph)) {
      std::vector<WorkPointer> after{begin};
      for (const Node* const dependency : node->dependencies) after.push_back(ends[dependency]);
      ends[node] = issue(*node, after);
      if (node->dependents.empty()) leaves.push_back(ends[node]);
    }
    return context_.streams.work().join(leaves);
  }

 private:
  WorkPointer issue(const Node& node, std::vector<WorkPointer>& after) {
    if (!node.enabled) return add(after, nothing());
    return std::visit([&](const auto& operation) { return issue(operation, after); }, node.content->operation);
  }
  WorkPointer issue(const KernelCall& given, std::vector<WorkPointer>& after) {
    KernelCall kernel = given;
    if (!byNode_) kernel.launch.priority = priority_;
    return add(after, startOf(context_, kernel));
  }
  WorkPointer issue(const Copy& copy, std::vector<WorkPointer>& after) {
    return add(after, copy.box.bytes() == 0 ? nothing() : startOf(context_, copy));
  }
  WorkPointer issue(const Fill& fill, std::vector<WorkPointer>& after) {
    return add(after, fill.box.bytes() == 0 ? nothing() : startOf(context_, fill));
  }
  WorkPointer issue(const HostCall& call, std::vector<WorkPointer>& after) {
    return add(after, context_.callOf([call] { call.function(call.userData); }));
  }
  WorkPointer issue(const ChildGraph& child, std::vector<WorkPointer>& after) {
    return issue(*child.graph, context_.streams.work().join(after));
  }
  WorkPointer issue(const Nothing&, std::vector<WorkPointer>& after) { return add(after, nothing()); }
  WorkPointer issue(const EventWait& wait, std::vector<WorkPointer>& after) {
    after.push_back(context_.events.find(wait.event)->recorded);
    return add(after, nothing());
  }
  WorkPointer issue(const EventRecord& record, std::vector<WorkPointer>& after) {
    Event& event = *context_.events.find(record.event);
    event.capture.reset();
    event.recorded = add(after, nothing());
    return event.recorded;
  }

  WorkPointer add(std::vector<WorkPointer>& after, Start start) { return context_.streams.add(after, std::move(start)); }
  Start nothing() { return context_.taking(0, nullptr); }

  Context& context_;
  bool byNode_;
  int priority_;
};

cudaError_t checkAlive(Context& context, const Graph& graph);

// Whether what the node needs is still there, which the program may have taken away since it made the node.
cudaError_t checkAlive(Context& context, const Operation& operation) {
  if (const auto* const kernel = std::get_if<KernelCall>(&operation)) {
    if (!context.devices().at(kernel->device).isLoaded(kernel->module)) {
      printError("a graph launches a kernel whose module has been unloaded\n  remedy: unload modules after the last launch");
      return cudaErrorInvalidResourceHandle;
    }
    return check(context, *kernel);
  }
  if (const auto* const copy = std::get_if<Copy>(&operation)) return check(context, *copy);
  if (const auto* const fill = std::get_if<Fill>(&operation)) return check(context, *fill);
  if (const auto* const child = std::get_if<ChildGraph>(&operation)) return checkAlive(context, *child->graph);
  if (const auto* const wait = std::get_if<EventWait>(&operation))
    return context.events.find(wait->event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  if (const auto* const record = std::get_if<EventRecord>(&operation))
    return context.events.find(record->event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  return cudaSuccess;
}

cudaError_t checkAlive(Context& context, const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (!node->enabled) continue;
    if (const cudaError_t status = checkAlive(context, node->content->operation); status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

cudaError_t refusal(Captures& captures, Stream& stream, Purpose purpose) {
  if (purpose == Purpose::wait) return captures.refuseWait(stream);
  return purpose == Purpose::uncaptured ? captures.refuseUncaptured(stream) : captures.refuseIssue(stream);
}

}  // namespace

Target targetOf(Context& context, cudaStream_t handle, Purpose purpose) {
  Stream* const stream = context.streams.find(handle);
  if (!stream) return {cudaErrorInvalidResourceHandle};
  const cudaError_t refused = refusal(context.captures, *stream, purpose);
  return refused == cudaSuccess ? Target{cudaSuccess, stream} : Target{refused};
}

cudaError_t capture(Context& context, Stream& stream, Operation operation) {
  stream.captured = {&context.graphs.add(*stream.capture->graph, {std::move(operation)}, stream.captured)};
  return cudaSuccess;
}

cudaError_t issueHostCall(Context& context, const HostCall& call, cudaStream_t handle) {
  const Target target = targetOf(context, handle, Purpose::issue);
  if (target.status != cudaSuccess) return target.status;
  if (target.stream->capture) return capture(context, *target.stream, call);
  context.issue(*target.stream, context.callOf([call] { call.function(call.userData); }));
  return cudaSuccess;
}

cudaError_t launch(Context& context, GraphInstance& instance, cudaStream_t handle) {
  const Target target = targetOf(context, handle, Purpose::issue);
  if (target.status != cudaSuccess) return target.status;
  if (const cudaError_t status = checkAlive(context, *instance.graph); status != cudaSuccess) return status;
  if (target.stream->capture) {
    Graph& copy = context.graphs.clone(*instance.graph);
    copy.owned = true;
    return capture(context, *target.stream, ChildGraph{&copy});
  }
  const WorkPointer begin = context.streams.issue(*target.stream, context.taking(0, nullptr), std::span(&instance.last, 1));
  instance.last = Issue(context, instance, *target.stream).issue(*instance.graph, begin);
  context.issue(*target.stream, context.taking(0, nullptr), std::span(&instance.last, 1));
  return cudaSuccess;
}

}  // namespace warpwright::cudart
