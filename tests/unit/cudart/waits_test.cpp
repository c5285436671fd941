// What the host waits for in each function of the API, as the table says: while a kernel waits for the host, calls that wait for it find
// that it hangs, and all others leave it where it is.
#include <map>

#include "api_table.hpp"
#include "every_function.hpp"

using namespace warpwright::cudart;

namespace {

const std::string kWaiter = moduleOf(R"(
.visible .entry wait(.param .u64 flag)
{
  .reg .u64 %d<1>;
  .reg .u32 %r<1>;
  .reg .pred %p<1>;
  ld.param.u64 %d0, [flag];
again:
  ld.volatile.global.u32 %r0, [%d0];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra again;
  ret;
}
)");

class WaitsTest : public EveryFunctionTest {
 protected:
  void TearDown() override {
    if (flag_) *flag_ = 1;
    EveryFunctionTest::TearDown();
  }
  // A kernel waits in the stream `busy_` for the flag.
  void begin(unsigned int flags) {
    makeHandles();
    if (waiter_) cudaLibraryUnload(waiter_);
    ASSERT_EQ(cudaLibraryLoadData(&waiter_, kWaiter.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), cudaSuccess);
    cudaKernel_t wait = nullptr;
    ASSERT_EQ(cudaLibraryGetKernel(&wait, waiter_, "wait"), cudaSuccess);
    void* memory = nullptr;
    ASSERT_EQ(cudaHostAlloc(&memory, sizeof(unsigned), cudaHostAllocMapped), cudaSuccess);
    flag_ = static_cast<volatile unsigned*>(memory);
    *flag_ = 0;
    ASSERT_EQ(cudaStreamCreateWithFlags(&busy_, flags), cudaSuccess);
    void* arguments[] = {&memory};
    ASSERT_EQ(cudaLaunchKernel(static_cast<const void*>(wait), dim3(1), dim3(1), arguments, 0, busy_), cudaSuccess);
    ASSERT_EQ(cudaStreamQuery(busy_), cudaErrorNotReady);
  }
  void end() {
    *flag_ = 1;
    EXPECT_EQ(cudaStreamSynchronize(busy_), cudaSuccess);
  }
  // That the calls have begun: a stream that captures forbids questions about others.
  static void endCaptures() {
    cudaGraph_t graph = nullptr;
    for (const cudaStream_t stream : {every_way::stream, cudaStreamPerThread}) cudaStreamEndCapture(stream, &graph);
  }
  static Waits waitsOf(std::string_view name) {
    for (const ApiFunction& function : kApiFunctions)
      if (function.name == name) return function.waits;
    ADD_FAILURE() << name;
    return Waits::no;
  }
  // Calls that are right, by name; what they need is made before the kernel waits.
  std::map<std::string_view, std::function<cudaError_t()>> waitingCalls();

  cudaLibrary_t waiter_ = nullptr;
  volatile unsigned* flag_ = nullptr;
  cudaStream_t busy_ = nullptr;
};

TEST_F(WaitsTest, CallsThatWaitForNothingLeaveKernelsWhereTheyAre) {
  for (const Function& function : kFunctions) {
    if (isStartUpCode(function.name) || waitsOf(function.name) == Waits::device) continue;
    SCOPED_TRACE(function.name);
    begin(cudaStreamNonBlocking);
    if (HasFatalFailure()) return;
    function.callEveryWay([] {});
    endCaptures();
    EXPECT_EQ(cudaStreamQuery(busy_), cudaErrorNotReady);
    end();
    if (HasFailure()) return;
  }
}

std::map<std::string_view, std::function<cudaError_t()>> WaitsTest::waitingCalls() {
  const auto* const host = every_way::scratch();
  void* const device = every_way::deviceMemory;
  const cudaArray_t array = every_way::array;
  const auto to = cudaMemcpyHostToDevice;
  return {
      {"cudaDeviceReset", [] { return cudaDeviceReset(), cudaErrorLaunchTimeout; }},
      {"cudaThreadExit", [] { return cudaThreadExit(), cudaErrorLaunchTimeout; }},
      {"cudaDeviceSynchronize", [] { return cudaDeviceSynchronize(); }},
      {"cudaThreadSynchronize", [] { return cudaThreadSynchronize(); }},
      {"cudaFree", [=] { return cudaFree(device); }},
      {"cudaFreeHost", [this] { return cudaFreeHost(const_cast<unsigned*>(flag_)); }},
      {"cudaHostUnregister", [=] { return cudaHostUnregister(every_way::scratch()); }},
      {"cudaFreeArray", [=] { return cudaFreeArray(array); }},
      {"cudaLibraryUnload", [this] { return cudaLibraryUnload(waiter_); }},
      {"cudaDestroyTextureObject", [] { return cudaDestroyTextureObject(0); }},
      {"cudaDestroySurfaceObject", [] { return cudaDestroySurfaceObject(0); }},
      {"cudaUnbindTexture", [] { return cudaUnbindTexture(nullptr); }},
      {"cudaBindTexture",
       [=] {
         const auto* const reference = static_cast<const textureReference*>(host);
         const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
         return cudaBindTexture(nullptr, reference, device, &format, 64);
       }},
      {"cudaBindTexture2D",
       [=] {
         const auto* const reference = static_cast<const textureReference*>(host);
         const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
         return cudaBindTexture2D(nullptr, reference, device, &format, 4, 4, 16);
       }},
      {"cudaBindTextureToArray", [=] { return cudaBindTextureToArray(nullptr, array, nullptr); }},
      {"cudaBindSurfaceToArray", [=] { return cudaBindSurfaceToArray(nullptr, array, nullptr); }},
      {"cudaStreamSynchronize", [this] { return cudaStreamSynchronize(busy_); }},
      {"cudaEventSynchronize",
       [this] {
         EXPECT_EQ(cudaEventRecord(every_way::event, busy_), cudaSuccess);
         return cudaEventSynchronize(every_way::event);
       }},
      {"cudaMemcpy", [=] { return cudaMemcpy(device, host, 64, to); }},
      {"cudaMemcpy2D", [=] { return cudaMemcpy2D(device, 16, host, 16, 16, 4, to); }},
      {"cudaMemcpy3D",
       [=] {
         cudaMemcpy3DParms copy{};
         copy.srcPtr = {every_way::scratch(), 16, 16, 4};
         copy.dstPtr = {device, 16, 16, 4};
         copy.extent = {16, 4, 1};
         copy.kind = to;
         return cudaMemcpy3D(&copy);
       }},
      {"cudaMemcpyToArray", [=] { return cudaMemcpyToArray(array, 0, 0, host, 16, to); }},
      {"cudaMemcpyFromArray", [=] { return cudaMemcpyFromArray(every_way::scratch(), array, 0, 0, 16, cudaMemcpyDeviceToHost); }},
      {"cudaMemcpy2DToArray", [=] { return cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 4, to); }},
      {"cudaMemcpy2DFromArray",
       [=] { return cudaMemcpy2DFromArray(every_way::scratch(), 16, array, 0, 0, 16, 4, cudaMemcpyDeviceToHost); }},
  };
}

TEST_F(WaitsTest, CallsThatWaitFindThatTheKernelHangs) {
  begin(cudaStreamDefault);
  std::map<std::string_view, std::function<cudaError_t()>> calls = waitingCalls();
  end();
  for (const auto& [name, unused] : calls) {
    SCOPED_TRACE(name);
    EXPECT_GE(waitsOf(name), Waits::stream);
    begin(cudaStreamDefault);
    if (HasFatalFailure()) return;
    EXPECT_STREQ(cudaGetErrorName(waitingCalls().at(name)()), "cudaErrorLaunchTimeout");
    cudaDeviceReset();
    flag_ = nullptr;
  }
  for (const ApiFunction& function : kApiFunctions) {
    // They need a variable that start-up code has registered.
    if (function.waits < Waits::stream || function.name == "cudaMemcpyToSymbol" || function.name == "cudaMemcpyFromSymbol") continue;
    EXPECT_TRUE(calls.contains(function.name)) << function.name;
  }
}

TEST_F(WaitsTest, CallsThatAskSayThatTheKernelIsNotReady) {
  begin(cudaStreamDefault);
  const cudaEvent_t event = every_way::event;
  ASSERT_EQ(cudaEventRecord(event, busy_), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaStreamQuery(busy_), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  end();
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaSuccess);
}

}  // namespace
