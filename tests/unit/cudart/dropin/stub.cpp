// NVIDIA's runtime as far as a link editor sees it: the names that program.cpp uses. The build gives it the soname and the version node of
// one release, and the programs linked with it ask the loader for both.
#define STUB(name) \
  extern "C" void name() {}
STUB(cudaRuntimeGetVersion)
STUB(cudaDriverGetVersion)
STUB(cudaGetDeviceProperties)
STUB(cudaGetDeviceProperties_v2)
STUB(cudaPointerGetAttributes)
STUB(cudaMalloc)
STUB(cudaMallocManaged)
STUB(cudaMemAdvise)
STUB(cudaMemPrefetchAsync)
STUB(cudaMemcpy)
STUB(cudaFree)
STUB(cudaLaunchKernel)
STUB(cudaDeviceSynchronize)
STUB(cudaGetDriverEntryPoint)
STUB(__cudaRegisterFatBinary)
STUB(__cudaRegisterFatBinaryEnd)
STUB(__cudaRegisterFunction)
