// Several devices in one process. Prints what went wrong, and how often. With "streams" only what is the same in every run; with "foreign"
// a kernel reads another device's memory.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

__device__ int counter = 5;
__managed__ int shared = 1;
__constant__ int scale;

__global__ void add(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value * scale;
  if (i == 0) atomicAdd(&counter, value);
}

__global__ void touch(int* managed) { atomicAdd(managed, 1); }

namespace {

constexpr int kCount = 1000;
int failures = 0;

void expect(bool right, const char* what) {
  if (right) return;
  ++failures;
  std::printf("failed: %s\n", what);
}

#define EXPECT(condition) expect((condition), #condition)
#define SUCCEEDS(call) expect((call) == cudaSuccess, #call)

int* filled(int device, int value) {
  SUCCEEDS(cudaSetDevice(device));
  int* data = nullptr;
  SUCCEEDS(cudaMalloc(&data, kCount * sizeof(int)));
  const std::vector<int> host(kCount, value);
  SUCCEEDS(cudaMemcpy(data, host.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
  return data;
}

bool holds(const int* data, int value) {
  std::vector<int> host(kCount);
  SUCCEEDS(cudaMemcpy(host.data(), data, kCount * sizeof(int), cudaMemcpyDefault));
  for (const int each : host)
    if (each != value) return false;
  return true;
}

int counterOf(int device) {
  int value = 0;
  SUCCEEDS(cudaSetDevice(device));
  SUCCEEDS(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  return value;
}

void devicesAreApart() {
  int count = 0, current = -1;
  SUCCEEDS(cudaGetDeviceCount(&count));
  EXPECT(count == 2);
  EXPECT(cudaSetDevice(2) == cudaErrorInvalidDevice);
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaGetDevice(&current));
  EXPECT(current == 1);
  std::thread([] {
    int mine = -1;
    cudaGetDevice(&mine);
    EXPECT(mine == 0);
  }).join();
  cudaDeviceProp properties[2];
  for (int device = 0; device < 2; ++device) SUCCEEDS(cudaGetDeviceProperties(&properties[device], device));
  EXPECT(std::memcmp(&properties[0].uuid, &properties[1].uuid, sizeof properties[0].uuid) != 0);
  int can = -1;
  SUCCEEDS(cudaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT(can == 0);
  EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  char bus[16];
  int found = -1;
  SUCCEEDS(cudaDeviceGetPCIBusId(bus, sizeof bus, 1));
  SUCCEEDS(cudaDeviceGetByPCIBusId(&found, bus));
  EXPECT(found == 1);
  cudaGetLastError();  // of the calls that had to fail
}

void variablesAndMemoryAreEachDevicesOwn() {
  int* data[2];
  for (int device = 0; device < 2; ++device) {
    data[device] = filled(device, 10 * device);
    const int factor = device + 1;
    SUCCEEDS(cudaMemcpyToSymbol(scale, &factor, sizeof factor));
  }
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    add<<<4, 256>>>(data[device], kCount, 3);
    SUCCEEDS(cudaGetLastError());
  }
  EXPECT(holds(data[0], 3));
  EXPECT(holds(data[1], 16));
  add<<<4, 256>>>(data[1], kCount, 1);
  EXPECT(counterOf(0) == 8);
  EXPECT(counterOf(1) == 9);
  cudaPointerAttributes attributes;
  SUCCEEDS(cudaPointerGetAttributes(&attributes, data[1]));
  EXPECT(attributes.device == 1);
  size_t free0 = 0, free1 = 0, total = 0;
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaFree(data[0]));
  SUCCEEDS(cudaMemGetInfo(&free0, &total));
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaMemGetInfo(&free1, &total));
  EXPECT(free1 < free0);
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaFree(data[1]));  // of another device than the current one
}

void copiesGoBetweenDevices() {
  int *from = filled(0, 7), *to = filled(1, 0);
  SUCCEEDS(cudaMemcpyPeer(to, 1, from, 0, kCount * sizeof(int)));
  EXPECT(holds(to, 7));
  EXPECT(cudaMemcpyPeer(to, 2, from, 0, 4) == cudaErrorInvalidDevice);
  SUCCEEDS(cudaMemset(from, 0, kCount * sizeof(int)));  // of another device
  SUCCEEDS(cudaMemcpy(to, from, kCount * sizeof(int), cudaMemcpyDefault));
  EXPECT(holds(to, 0));
  SUCCEEDS(cudaFree(from));
  SUCCEEDS(cudaFree(to));
}

void hostAndManagedMemoryIsWithinReachOfBoth() {
  SUCCEEDS(cudaSetDevice(0));
  int *managed = nullptr, *pinned = nullptr;
  static int registered = 0;
  SUCCEEDS(cudaMallocManaged(&managed, sizeof(int)));
  SUCCEEDS(cudaMallocHost(&pinned, sizeof(int)));
  SUCCEEDS(cudaHostRegister(&registered, sizeof(int), 0));
  *managed = *pinned = 0;
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    for (int* each : {managed, pinned, &registered, &shared}) touch<<<1, 1>>>(each);
    SUCCEEDS(cudaDeviceSynchronize());
  }
  EXPECT(*managed == 2);
  EXPECT(*pinned == 2);
  EXPECT(registered == 2);
  EXPECT(shared == 3);
  SUCCEEDS(cudaFree(managed));
  SUCCEEDS(cudaFreeHost(pinned));
  SUCCEEDS(cudaHostUnregister(&registered));
  SUCCEEDS(cudaHostRegister(&registered, sizeof(int), 0));
  SUCCEEDS(cudaHostUnregister(&registered));
}

void streamsAndEventsBelongToADevice() {
  int* data[2] = {filled(0, 0), filled(1, 0)};
  cudaStream_t streams[2];
  cudaEvent_t events[2];
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaSetDevice(device));
    SUCCEEDS(cudaStreamCreate(&streams[device]));
    SUCCEEDS(cudaEventCreate(&events[device]));
    const int one = 1;
    SUCCEEDS(cudaMemcpyToSymbol(scale, &one, sizeof one));
  }
  int of = -1;
  SUCCEEDS(cudaStreamGetDevice(streams[1], &of));
  EXPECT(of == 1);
  SUCCEEDS(cudaSetDevice(0));
  add<<<4, 256, 0, streams[1]>>>(data[0], kCount, 1);
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  EXPECT(cudaEventRecord(events[1], streams[0]) == cudaErrorInvalidResourceHandle);

  // The second device begins when the first has ended, though the host does not wait.
  add<<<4, 256, 0, streams[0]>>>(data[0], kCount, 2);
  SUCCEEDS(cudaEventRecord(events[0], streams[0]));
  SUCCEEDS(cudaStreamWaitEvent(streams[1], events[0], 0));
  SUCCEEDS(cudaMemcpyPeerAsync(data[1], 1, data[0], 0, kCount * sizeof(int), streams[1]));
  SUCCEEDS(cudaSetDevice(1));
  add<<<4, 256, 0, streams[1]>>>(data[1], kCount, 5);
  SUCCEEDS(cudaEventRecord(events[1], streams[1]));
  SUCCEEDS(cudaEventSynchronize(events[1]));
  EXPECT(holds(data[1], 7));
  float milliseconds = 0;
  EXPECT(cudaEventElapsedTime(&milliseconds, events[0], events[1]) == cudaErrorInvalidResourceHandle);
  for (int device = 0; device < 2; ++device) {
    SUCCEEDS(cudaStreamDestroy(streams[device]));
    SUCCEEDS(cudaEventDestroy(events[device]));
    SUCCEEDS(cudaFree(data[device]));
  }
}

// As programs drive several devices: a thread each.
void threadsDriveADeviceEach() {
  std::vector<std::thread> threads;
  bool right[2] = {};
  for (int device = 0; device < 2; ++device) {
    threads.emplace_back([&right, device] {
      int* const data = filled(device, 0);
      const int one = 1;
      cudaMemcpyToSymbol(scale, &one, sizeof one);
      for (int i = 0; i < 10; ++i) add<<<4, 256>>>(data, kCount, device + 1);
      right[device] = holds(data, 10 * (device + 1));
      cudaFree(data);
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT(right[0]);
  EXPECT(right[1]);
}

void aResetIsOfOneDevice() {
  int *kept = filled(0, 4), *gone = filled(1, 4);
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaDeviceReset());
  EXPECT(cudaFree(gone) == cudaErrorInvalidValue);
  EXPECT(holds(kept, 4));
  EXPECT(counterOf(1) == 5);  // loaded anew
  EXPECT(counterOf(0) != 5);
  SUCCEEDS(cudaFree(kept));
}

int readAnothersMemory() {
  int* const other = filled(1, 0);
  cudaSetDevice(0);
  add<<<4, 256>>>(other, kCount, 1);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 3 : 4;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "foreign") == 0) return readAnothersMemory();
  const bool all = argc == 1;
  devicesAreApart();
  variablesAndMemoryAreEachDevicesOwn();
  copiesGoBetweenDevices();
  if (all) hostAndManagedMemoryIsWithinReachOfBoth();
  streamsAndEventsBelongToADevice();
  if (all) threadsDriveADeviceEach();
  aResetIsOfOneDevice();
  std::printf("%d failures\n", failures);
  return failures != 0;
}
