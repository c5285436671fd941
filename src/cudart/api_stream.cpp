// Streams, events, and host functions in stream order.
#include <algorithm>
#include <utility>

#include "cuda_runtime_api.h"
#include "operation.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// The range of every device so far (CUDA C++ Programming Guide, "Stream Priorities": to be asked for, not assumed).
constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

cudaError_t createStream(cudaStream_t* stream, unsigned int flags, int priority) {
  return call([&](Context& context) {
    if (!stream || (flags & ~cudaStreamNonBlocking)) return cudaErrorInvalidValue;
    context.device();
    *stream = context.streams.create(flags & cudaStreamNonBlocking, std::clamp(priority, kGreatestPriority, kLeastPriority));
    return cudaSuccess;
  });
}

// Body: void(Context&, Stream&).
template <typename Body>
cudaError_t withStream(cudaStream_t handle, bool argumentsValid, Body&& body) {
  return call([&](Context& context) {
    if (!argumentsValid) return cudaErrorInvalidValue;
    Stream* const stream = context.streams.find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    body(context, *stream);
    return cudaSuccess;
  });
}

cudaError_t createEvent(cudaEvent_t* event, unsigned int flags) {
  return call([&](Context& context) {
    constexpr unsigned int kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!event || (flags & ~kKnown)) return cudaErrorInvalidValue;
    context.device();
    *event = context.events.create(flags);
    return cudaSuccess;
  });
}

template <typename Body>
cudaError_t withEvent(cudaEvent_t handle, Body&& body) {
  return call([&](Context& context) {
    Event* const event = context.events.find(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    const cudaError_t refused = context.captures.refuseWait(*event);
    return refused == cudaSuccess ? body(context, *event) : refused;
  });
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return createStream(stream, cudaStreamDefault, kLeastPriority); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) { return createStream(stream, flags, kLeastPriority); }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return createStream(stream, flags, priority);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&](Context&) {
    if (least) *least = kLeastPriority;
    if (greatest) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return withStream(handle, priority, [&](Context&, Stream& stream) { *priority = stream.priority; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return withStream(handle, flags, [&](Context&, Stream& stream) {
    *flags = stream.kind == Stream::Kind::nonBlocking ? cudaStreamNonBlocking : cudaStreamDefault;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return withStream(handle, id, [&](Context&, Stream& stream) { *id = stream.id; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return withStream(handle, device, [&](Context&, Stream& stream) { *device = static_cast<int>(stream.device); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call([&](Context& context) {
    if (Stream* const stream = context.streams.find(handle)) context.captures.forget(*stream);
    return context.streams.destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call([&](Context& context) {
    const Target target = targetOf(context, handle, Purpose::wait);
    if (target.status != cudaSuccess) return target.status;
    context.waitFor(*target.stream);
    return context.sticky;
  });
}

// A program that asks again and again must find that work goes on: it is carried out as far as it can be.
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call([&](Context& context) {
    const Target target = targetOf(context, handle, Purpose::wait);
    if (target.status != cudaSuccess) return target.status;
    context.carryOut();
    if (context.sticky != cudaSuccess) return context.sticky;
    return context.streams.hasEnded(*target.stream) ? cudaSuccess : cudaErrorNotReady;
  });
}

// Graphs have no node for it.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t, unsigned int) {
  return call([&](Context& context) { return pointer ? targetOf(context, handle, Purpose::uncaptured).status : cudaErrorInvalidValue; });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t eventHandle, unsigned int flags) {
  return call([&](Context& context) {
    if (flags & ~static_cast<unsigned int>(cudaEventWaitExternal)) return cudaErrorInvalidValue;
    const Target target = targetOf(context, handle, Purpose::issue);
    if (target.status != cudaSuccess) return target.status;
    const Event* const event = context.events.find(eventHandle);
    if (!event) return cudaErrorInvalidResourceHandle;
    Stream& stream = *target.stream;
    if (stream.capture && flags == cudaEventWaitExternal) return capture(context, stream, EventWait{eventHandle});
    if (stream.capture || event->capture) return context.captures.wait(stream, *event);
    if (event->recorded) context.issue(stream, context.taking(0, nullptr), std::span(&event->recorded, 1));
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* userData) {
  return call([&](Context& context) { return function ? issueHostCall(context, {function, userData}, handle) : cudaErrorInvalidValue; });
}

// Graphs have no node for it: cudaLaunchHostFunc took its place.
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* userData, unsigned int flags) {
  return call([&](Context& context) {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    const Target target = targetOf(context, handle, Purpose::uncaptured);
    if (target.status != cudaSuccess) return target.status;
    context.issue(*target.stream, context.callOf([=] { callback(handle, cudaSuccess, userData); }));
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return createEvent(event, cudaEventDefault); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) { return createEvent(event, flags); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return call([&](Context& context) { return context.events.destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  return cudaEventRecordWithFlags(handle, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t streamHandle, unsigned int flags) {
  return call([&](Context& context) {
    if (flags & ~static_cast<unsigned int>(cudaEventRecordExternal)) return cudaErrorInvalidValue;
    Event* const event = context.events.find(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    const Target target = targetOf(context, streamHandle, Purpose::issue);
    if (target.status != cudaSuccess) return target.status;
    Stream& stream = *target.stream;
    if (stream.device != event->device) return cudaErrorInvalidResourceHandle;
    if (stream.capture && flags == cudaEventRecordExternal) return capture(context, stream, EventRecord{handle});
    if (stream.capture) return context.captures.record(*event, stream);
    event->capture.reset();
    event->recorded = context.issue(stream, context.taking(0, nullptr));
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return withEvent(handle, [](Context& context, Event& event) {
    context.carryOut();
    if (context.sticky != cudaSuccess) return context.sticky;
    return !event.recorded || event.recorded->end ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return withEvent(handle, [](Context& context, Event& event) {
    context.waitFor(event.recorded);
    return context.sticky;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t startHandle, cudaEvent_t endHandle) {
  return call([&](Context& context) {
    const Event* const start = context.events.find(startHandle);
    const Event* const end = context.events.find(endHandle);
    if (!milliseconds) return cudaErrorInvalidValue;
    if ((start && start->capture) || (end && end->capture)) return cudaErrorCapturedEvent;
    if (!start || !end || !start->recorded || !end->recorded) return cudaErrorInvalidResourceHandle;
    if (((start->flags | end->flags) & cudaEventDisableTiming) || start->device != end->device) return cudaErrorInvalidResourceHandle;
    context.carryOut();
    if (context.sticky != cudaSuccess) return context.sticky;
    if (!start->recorded->end || !end->recorded->end) return cudaErrorNotReady;
    *milliseconds = static_cast<float>((static_cast<double>(*end->recorded->end) - static_cast<double>(*start->recorded->end)) / 1e6);
    return cudaSuccess;
  });
}
