// Streams, events, and host functions in stream order.
#include <algorithm>
#include <utility>

#include "context.hpp"
#include "cuda_runtime_api.h"

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
    return event ? body(context, *event) : cudaErrorInvalidResourceHandle;
  });
}

void nothing(Context&, Stream&) {}

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
  return withStream(handle, device, [&](Context&, Stream&) { *device = 0; });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call([&](Context& context) { return context.streams.destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call([&](Context& context) {
    Stream* const stream = context.streams.find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    context.waitFor(*stream);
    return context.sticky;
  });
}

// A program that asks again and again must find that work goes on: it is carried out as far as it can be.
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call([&](Context& context) {
    Stream* const stream = context.streams.find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    context.carryOut();
    if (context.sticky != cudaSuccess) return context.sticky;
    return context.streams.hasEnded(*stream) ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t, unsigned int) {
  return withStream(handle, pointer, nothing);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return withStream(handle, status, [&](Context&, Stream&) { *status = cudaStreamCaptureStatusNone; });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long*) {
  return cudaStreamIsCapturing(handle, status);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long*) {
  return cudaStreamIsCapturing(handle, status);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long*) {
  return cudaStreamIsCapturing(handle, status);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed) return record(cudaErrorInvalidValue);
  std::swap(current, *mode);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t eventHandle, unsigned int) {
  return call([&](Context& context) {
    Stream* const stream = context.streams.find(handle);
    const Event* const event = context.events.find(eventHandle);
    if (!stream || !event) return cudaErrorInvalidResourceHandle;
    if (event->recorded) context.issue(*stream, 0, nullptr, event->recorded);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* userData) {
  return withStream(handle, function,
                    [=](Context& context, Stream& stream) { context.issueHostFunction(stream, [=] { function(userData); }); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* userData, unsigned int flags) {
  return withStream(handle, callback && flags == 0, [=](Context& context, Stream& stream) {
    context.issueHostFunction(stream, [=] { callback(handle, cudaSuccess, userData); });
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return createEvent(event, cudaEventDefault); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) { return createEvent(event, flags); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return call([&](Context& context) { return context.events.destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t streamHandle) {
  return call([&](Context& context) {
    Event* const event = context.events.find(handle);
    Stream* const stream = context.streams.find(streamHandle);
    if (!event || !stream) return cudaErrorInvalidResourceHandle;
    event->recorded = context.issue(*stream, 0, nullptr);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned int flags) {
  return flags == cudaEventRecordDefault ? cudaEventRecord(handle, stream) : record(cudaErrorInvalidValue);
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
    if (!start || !end || !start->recorded || !end->recorded) return cudaErrorInvalidResourceHandle;
    if ((start->flags | end->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
    context.carryOut();
    if (context.sticky != cudaSuccess) return context.sticky;
    if (!start->recorded->end || !end->recorded->end) return cudaErrorNotReady;
    *milliseconds = static_cast<float>((static_cast<double>(*end->recorded->end) - static_cast<double>(*start->recorded->end)) / 1e6);
    return cudaSuccess;
  });
}
