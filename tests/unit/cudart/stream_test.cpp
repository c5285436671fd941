// Simulated time. The machine's memory bus moves 16 bytes a nanosecond (machine.toml: 64 bits, 1 GHz, two transfers a clock), so a fill
// of 16 MB takes 1 ms.
#include <vector>

#include "api_fixture.hpp"

namespace {

constexpr size_t kMillisecond = 16'000'000;

class StreamTest : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    ASSERT_EQ(cudaMalloc(&memory, 2 * kMillisecond), cudaSuccess);
    for (cudaEvent_t* event : {&start, &middle, &stop}) ASSERT_EQ(cudaEventCreate(event), cudaSuccess);
  }
  void work(cudaStream_t stream, size_t bytes = kMillisecond) { ASSERT_EQ(cudaMemsetAsync(memory, 0, bytes, stream), cudaSuccess); }
  static float between(cudaEvent_t first, cudaEvent_t second) {
    float milliseconds = -1;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first, second), cudaSuccess);
    return milliseconds;
  }
  static cudaStream_t makeStream(unsigned int flags = cudaStreamDefault) {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
    return stream;
  }
  char* memory = nullptr;
  cudaEvent_t start = nullptr, middle = nullptr, stop = nullptr;
};

TEST_F(StreamTest, WorkInOneStreamAddsUp) {
  cudaEventRecord(start);
  work(nullptr);
  cudaEventRecord(middle);
  work(nullptr, 2 * kMillisecond);
  cudaEventRecord(stop);
  EXPECT_FLOAT_EQ(between(start, middle), 1);
  EXPECT_FLOAT_EQ(between(start, stop), 3);
  EXPECT_FLOAT_EQ(between(stop, start), -3);
}

TEST_F(StreamTest, StreamsOverlap) {
  const cudaStream_t a = makeStream(), b = makeStream();
  cudaEventRecord(start, a);
  work(a);
  work(b, 2 * kMillisecond);
  cudaEventRecord(middle, a);
  cudaEventRecord(stop, b);
  EXPECT_FLOAT_EQ(between(start, middle), 1);
  EXPECT_FLOAT_EQ(between(start, stop), 2);
}

TEST_F(StreamTest, TheLegacyStreamWaitsAndIsWaitedFor) {
  const cudaStream_t a = makeStream();
  cudaEventRecord(start, a);
  work(a);
  work(nullptr);
  cudaEventRecord(middle);
  work(a);
  cudaEventRecord(stop, a);
  EXPECT_FLOAT_EQ(between(start, middle), 2);
  EXPECT_FLOAT_EQ(between(start, stop), 3);
}

TEST_F(StreamTest, NonBlockingStreamsIgnoreTheLegacyStream) {
  const cudaStream_t free = makeStream(cudaStreamNonBlocking);
  cudaEventRecord(start, free);
  work(nullptr);
  work(free);
  cudaEventRecord(middle, free);
  cudaEventRecord(stop);
  EXPECT_FLOAT_EQ(between(start, middle), 1);
  EXPECT_FLOAT_EQ(between(start, stop), 1);
}

TEST_F(StreamTest, ThePerThreadStreamIsAStream) {
  cudaEventRecord(start, cudaStreamPerThread);
  work(cudaStreamPerThread);
  work(cudaStreamLegacy);
  cudaEventRecord(stop, cudaStreamLegacy);
  EXPECT_FLOAT_EQ(between(start, stop), 2);
}

TEST_F(StreamTest, StreamsWaitForEvents) {
  const cudaStream_t a = makeStream(cudaStreamNonBlocking), b = makeStream(cudaStreamNonBlocking);
  cudaEventRecord(start, a);
  work(a, 2 * kMillisecond);
  cudaEventRecord(middle, a);
  EXPECT_EQ(cudaStreamWaitEvent(b, middle), cudaSuccess);
  work(b);
  cudaEventRecord(stop, b);
  EXPECT_FLOAT_EQ(between(start, stop), 3);
}

TEST_F(StreamTest, WorkBeginsWhenTheHostIssuesIt) {
  const cudaStream_t a = makeStream(cudaStreamNonBlocking), b = makeStream(cudaStreamNonBlocking);
  cudaEventRecord(start, a);
  work(a);
  cudaStreamSynchronize(a);
  work(b);
  cudaEventRecord(stop, b);
  EXPECT_FLOAT_EQ(between(start, stop), 2);
}

TEST_F(StreamTest, ADestroyedStreamStillEndsItsWork) {
  const cudaStream_t a = makeStream();
  cudaEventRecord(start, a);
  work(a);
  EXPECT_EQ(cudaStreamDestroy(a), cudaSuccess);
  cudaEventRecord(stop);
  EXPECT_FLOAT_EQ(between(start, stop), 1);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(a), cudaErrorInvalidResourceHandle);
}

TEST_F(StreamTest, EventsThatCannotBeTimed) {
  float milliseconds = 0;
  cudaEventRecord(start);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorInvalidResourceHandle);
  cudaEvent_t untimed = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventCreateWithFlags(&untimed, 0x100), cudaErrorInvalidValue);
}

TEST_F(StreamTest, HostFunctionsRunInOrder) {
  static std::vector<int> order;
  order.clear();
  int one = 1, two = 2;
  const auto push = [](void* number) { order.push_back(*static_cast<int*>(number)); };
  EXPECT_EQ(cudaLaunchHostFunc(0, push, &one), cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(
                0,
                [](cudaStream_t, cudaError_t status, void* number) {
                  if (status == cudaSuccess) order.push_back(*static_cast<int*>(number));
                },
                &two, 0),
            cudaSuccess);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(StreamTest, FlagsAndPriorities) {
  int least = 0, greatest = 0, priority = 1;
  unsigned int flags = 9;
  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_LT(greatest, least);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, static_cast<unsigned int>(cudaStreamNonBlocking));
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 0x40), cudaErrorInvalidValue);
}

}  // namespace
