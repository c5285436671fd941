#include "node_parameters.hpp"

namespace warpwright::cudart {
namespace {

bool isElementSize(u32 bytes) { return bytes == 1 || bytes == 2 || bytes == 4; }

template <typename Event>
cudaError_t describeEvent(Context& context, Event named, Operation& operation) {
  if (!context.events.find(named.event)) return cudaErrorInvalidValue;
  operation = named;
  return cudaSuccess;
}

// The side as a pitched pointer, for a program that asks.
cudaPitchedPtr pitchedPointer(const Side& side, const Box& box) {
  const u64 pitch = side.pitch ? side.pitch : box.width;
  return {side.start, pitch, box.width, side.slicePitch ? side.slicePitch / pitch : box.height};
}

}  // namespace

cudaError_t describe(Context& context, const cudaKernelNodeParams* given, Operation& operation) {
  if (!given) return cudaErrorInvalidValue;
  const auto extent = [](const dim3& of) { return Dim3{of.x, of.y, of.z}; };
  KernelCall kernel;
  cudaError_t status = describe(context, given->func, {extent(given->gridDim), extent(given->blockDim), given->sharedMemBytes},
                                {given->kernelParams, given->extra}, kernel);
  if (status == cudaSuccess) status = check(context, kernel);
  if (status == cudaSuccess) operation = std::move(kernel);
  return status;
}

cudaError_t describe(Context& context, const Copy& copy, Operation& operation) {
  const cudaError_t status = check(context, copy);
  if (status == cudaSuccess) operation = copy;
  return status;
}

cudaError_t describe(Context& context, const cudaMemcpy3DParms* given, Operation& operation) {
  if (!given) return cudaErrorInvalidValue;
  Copy copy;
  const cudaError_t status = describe(context, *given, copy);
  copy.given = *given;
  return status == cudaSuccess ? describe(context, copy, operation) : status;
}

cudaError_t describe(Context& context, const cudaMemsetParams* given, Operation& operation) {
  if (!given || !isElementSize(given->elementSize)) return cudaErrorInvalidValue;
  const u64 width = given->width * given->elementSize;
  if (given->height > 1 && given->pitch < width) return cudaErrorInvalidValue;
  const Fill fill{linear(given->dst, given->pitch), {given->value, given->elementSize}, {width, given->height}};
  const cudaError_t status = check(context, fill);
  if (status == cudaSuccess) operation = fill;
  return status;
}

cudaError_t describe(Context&, const cudaHostNodeParams* given, Operation& operation) {
  if (!given || !given->fn) return cudaErrorInvalidValue;
  operation = HostCall{given->fn, given->userData};
  return cudaSuccess;
}

cudaError_t describe(Context& context, cudaGraph_t handle, Operation& operation) {
  const Graph* const child = context.graphs.find(handle);
  if (!child) return cudaErrorInvalidValue;
  Graph& copy = context.graphs.clone(*child);
  copy.owned = true;
  operation = ChildGraph{&copy};
  return cudaSuccess;
}

cudaError_t describe(Context& context, EventWait wait, Operation& operation) { return describeEvent(context, wait, operation); }

cudaError_t describe(Context& context, EventRecord record, Operation& operation) { return describeEvent(context, record, operation); }

cudaError_t describe(Context& context, const cudaGraphNodeParams* given, Operation& operation) {
  if (!given) return cudaErrorInvalidValue;
  switch (given->type) {
    case cudaGraphNodeTypeKernel: {
      const auto& k = given->kernel;
      const cudaKernelNodeParams kernel{k.func, k.gridDim, k.blockDim, k.sharedMemBytes, k.kernelParams, k.extra};
      return describe(context, &kernel, operation);
    }
    case cudaGraphNodeTypeMemcpy:
      return describe(context, &given->memcpy.copyParams, operation);
    case cudaGraphNodeTypeMemset: {
      const auto& m = given->memset;
      const cudaMemsetParams memset{m.dst, m.pitch, m.value, m.elementSize, m.width, m.height};
      return describe(context, &memset, operation);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host{given->host.fn, given->host.userData};
      return describe(context, &host, operation);
    }
    case cudaGraphNodeTypeGraph:
      return describe(context, given->graph.graph, operation);
    case cudaGraphNodeTypeEmpty:
      operation = Nothing{};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return describe(context, EventWait{given->eventWait.event}, operation);
    case cudaGraphNodeTypeEventRecord:
      return describe(context, EventRecord{given->eventRecord.event}, operation);
    default:
      return cudaErrorNotSupported;
  }
}

cudaMemcpy3DParms parametersOf(const Copy& copy) {
  if (copy.given) return *copy.given;
  cudaMemcpy3DParms result{};
  result.srcPtr = pitchedPointer(copy.from, copy.box);
  result.dstPtr = pitchedPointer(copy.to, copy.box);
  result.extent = {copy.box.width, copy.box.height, copy.box.depth};
  result.kind = copy.kind;
  return result;
}

cudaMemsetParams parametersOf(const Fill& fill) {
  const u32 element = fill.element.bytes;
  return {fill.to.start, fill.to.pitch, fill.element.value, element, fill.box.width / element, fill.box.height * fill.box.depth};
}

cudaKernelNodeParams parametersOf(KernelCall& kernel) {
  const exec::Launch& launch = kernel.launch;
  kernel.arguments.clear();
  for (const isa::Parameter& parameter : launch.kernel->parameters)
    kernel.arguments.push_back(kernel.launch.parameters.data() + parameter.offset);
  const auto extent = [](const Dim3& of) { return dim3(of.x, of.y, of.z); };
  return {const_cast<void*>(kernel.function),
          extent(launch.grid),
          extent(launch.block),
          static_cast<unsigned>(launch.dynamicSharedBytes),
          kernel.arguments.empty() ? nullptr : kernel.arguments.data(),
          nullptr};
}

}  // namespace warpwright::cudart
