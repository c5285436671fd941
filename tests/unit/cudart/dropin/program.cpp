// A program as CUDA_MAJOR's headers and compiler make it, without them: structures of that release's size, its forms of functions, a
// registered kernel. It prints what is wrong; its exit status is the number of it.
#include <cstdio>
#include <cstring>

struct Location {
  int type, id;
};
struct Extent {
  unsigned x, y, z;
};

extern "C" {
int cudaRuntimeGetVersion(int* version);
int cudaDriverGetVersion(int* version);
#if CUDA_MAJOR == 12
// cuda_runtime_api.h of CUDA 12 renames it.
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#endif
int cudaGetDeviceProperties(void* properties, int device);
int cudaPointerGetAttributes(void* attributes, const void* pointer);
int cudaMalloc(void** pointer, size_t size);
int cudaMallocManaged(void** pointer, size_t size, unsigned flags);
#if CUDA_MAJOR == 13
int cudaMemAdvise(const void* pointer, size_t count, int advice, Location location);
int cudaMemPrefetchAsync(const void* pointer, size_t count, Location location, unsigned flags, void* stream);
#else
int cudaMemAdvise(const void* pointer, size_t count, int advice, int device);
int cudaMemPrefetchAsync(const void* pointer, size_t count, int device, void* stream);
#endif
#if CUDA_MAJOR == 11
int cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags);
#else
int cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags, int* status);
#endif
int cudaMemcpy(void* to, const void* from, size_t count, int kind);
int cudaFree(void* pointer);
int cudaStreamCreate(void** stream);
int cudaStreamBeginCapture(void* stream, int mode);
int cudaStreamEndCapture(void* stream, void** graph);
int cudaMemsetAsync(void* pointer, int value, size_t count, void* stream);
int cudaGraphLaunch(void* instance, void* stream);
#if CUDA_MAJOR == 11
int cudaGraphInstantiate(void** instance, void* graph, void** errorNode, char* log, size_t logBytes);
int cudaGraphExecUpdate(void* instance, void* graph, void** errorNode, int* result);
#else
int cudaGraphInstantiate(void** instance, void* graph, unsigned long long flags);
int cudaGraphExecUpdate(void* instance, void* graph, void* information);
#endif
#if CUDA_MAJOR == 13
int cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id, void** graph, void** dependencies, void** edges,
                             size_t* count);
int cudaGraphGetEdges(void* graph, void** from, void** to, void* edges, size_t* count);
#else
int cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id);
int cudaGraphGetEdges(void* graph, void** from, void** to, size_t* count);
#endif
int cudaLaunchKernel(const void* kernel, Extent grid, Extent block, void** arguments, size_t sharedBytes, void* stream);
int cudaDeviceSynchronize();
void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int, void*, void*, void*, void*, int*);
}

namespace {

int failures = 0;

#define EXPECT(condition) \
  if (!(condition)) failures += std::printf("line %d: %s\n", __LINE__, #condition) > 0

// sizeof(cudaDeviceProp) of CUDA 11.8, 12 and 13, and where multiProcessorCount is in it: CUDA 13 dropped clockRate and deviceOverlap
// before it.
constexpr size_t kPropertiesBytes = CUDA_MAJOR == 11 ? 728 : CUDA_MAJOR == 12 ? 1032 : 1008;
constexpr size_t kProcessorsAt = CUDA_MAJOR == 13 ? 384 : 388;
// type, device, two pointers; CUDA 13 added eight reserved longs.
constexpr size_t kPointerAttributesBytes = CUDA_MAJOR == 13 ? 88 : 24;

// A structure of the program with what lies behind it.
template <size_t kBytes>
struct Guarded {
  unsigned char bytes[kBytes], guard[64];
  Guarded() { std::memset(this, 0xa5, sizeof *this); }
  bool intact() const {
    for (const unsigned char byte : guard)
      if (byte != 0xa5) return false;
    return true;
  }
  int intAt(size_t offset) const {
    int value;
    std::memcpy(&value, bytes + offset, sizeof value);
    return value;
  }
};

constexpr char kPtx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry triple(.param .u64 data)\n{\n .reg .u64 %d<1>;\n .reg .u32 %r<2>;\n"
    " ld.param.u64 %d0, [data];\n ld.global.u32 %r0, [%d0];\n mul.lo.u32 %r1, %r0, 3;\n st.global.u32 [%d0], %r1;\n ret;\n}\n";

char stub;

void registerKernel() {
  static const struct {
    unsigned magic = 0x466243b1, version = 1;
    const void* data = kPtx;
    void* second = nullptr;
  } wrapper;
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &stub, nullptr, "triple", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
}

void checkVersions() {
  int runtime = 0, driver = 0;
  EXPECT(cudaRuntimeGetVersion(&runtime) == 0 && runtime / 1000 == CUDA_MAJOR);
  EXPECT(cudaDriverGetVersion(&driver) == 0 && driver >= runtime);
}

void checkStructures(const void* pointer) {
  Guarded<kPropertiesBytes> properties;
  EXPECT(cudaGetDeviceProperties(&properties, 0) == 0 && properties.intact());
  // The preset v100: 80 SMs, compute capability 7.0.
  EXPECT(properties.intAt(kProcessorsAt) == 80 && properties.intAt(360) == 7 && properties.intAt(364) == 0);
  Guarded<kPointerAttributesBytes> attributes;
  EXPECT(cudaPointerGetAttributes(&attributes, pointer) == 0 && attributes.intact() && attributes.intAt(0) == 2);
}

void checkManaged() {
  void* managed = nullptr;
  EXPECT(cudaMallocManaged(&managed, 64, 1) == 0);
#if CUDA_MAJOR == 13
  EXPECT(cudaMemAdvise(managed, 64, 3, Location{1, 0}) == 0);
  EXPECT(cudaMemPrefetchAsync(managed, 64, Location{1, 0}, 0, nullptr) == 0);
#else
  EXPECT(cudaMemAdvise(managed, 64, 3, 0) == 0);
  EXPECT(cudaMemPrefetchAsync(managed, 64, 0, nullptr) == 0);
#endif
  EXPECT(cudaFree(managed) == 0);
}

void checkEntryPoint() {
  void* function = nullptr;
#if CUDA_MAJOR == 11
  EXPECT(cudaGetDriverEntryPoint("cuInit", &function, 0) == 0);
#else
  int status = -1;
  EXPECT(cudaGetDriverEntryPoint("cuInit", &function, 0, &status) == 0 && status == 0);
#endif
  EXPECT(function && reinterpret_cast<int (*)(unsigned)>(function)(0) == 0);
}

// A graph of two fills, in the release's forms.
void checkGraphs(void* device) {
  void *stream = nullptr, *graph = nullptr, *instance = nullptr;
  int status = 0;
  size_t count = 0;
  EXPECT(cudaStreamCreate(&stream) == 0 && cudaStreamBeginCapture(stream, 0) == 0);
  EXPECT(cudaMemsetAsync(device, 1, 64, stream) == 0 && cudaMemsetAsync(device, 7, 4, stream) == 0);
#if CUDA_MAJOR == 13
  EXPECT(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count) == 0 && status == 1 && count == 1);
#else
  unsigned long long id = 0;
  EXPECT(cudaStreamGetCaptureInfo(stream, &status, &id) == 0 && status == 1 && id != 0);
#endif
  EXPECT(cudaStreamEndCapture(stream, &graph) == 0);
#if CUDA_MAJOR == 13
  EXPECT(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count) == 0 && count == 1);
#else
  EXPECT(cudaGraphGetEdges(graph, nullptr, nullptr, &count) == 0 && count == 1);
#endif
#if CUDA_MAJOR == 11
  char log[16] = "not touched";
  void* errorNode = &stream;
  int result = -1;
  EXPECT(cudaGraphInstantiate(&instance, graph, &errorNode, log, sizeof log) == 0 && !errorNode && log[0] == 0);
  EXPECT(cudaGraphExecUpdate(instance, graph, &errorNode, &result) == 0 && result == 0);
#else
  Guarded<24> information;
  EXPECT(cudaGraphInstantiate(&instance, graph, 0) == 0);
  EXPECT(cudaGraphExecUpdate(instance, graph, &information) == 0 && information.intAt(0) == 0 && information.intact());
#endif
  int value = 0;
  EXPECT(cudaGraphLaunch(instance, stream) == 0 && cudaDeviceSynchronize() == 0);
  EXPECT(cudaMemcpy(&value, device, 4, 2) == 0 && value == 0x07070707);
}

void checkKernel(void* device) {
  int value = 14;
  void* arguments[] = {&device};
  EXPECT(cudaMemcpy(device, &value, 4, 1) == 0);
  EXPECT(cudaLaunchKernel(&stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr) == 0);
  EXPECT(cudaDeviceSynchronize() == 0);
  EXPECT(cudaMemcpy(&value, device, 4, 2) == 0 && value == 42);
}

}  // namespace

int main() {
  registerKernel();
  checkVersions();
  void* device = nullptr;
  EXPECT(cudaMalloc(&device, 64) == 0);
  checkStructures(device);
  checkManaged();
  checkEntryPoint();
  checkKernel(device);
  checkGraphs(device);
  EXPECT(cudaFree(device) == 0);
  std::printf("CUDA %d: %d failures\n", CUDA_MAJOR, failures);
  return failures;
}
