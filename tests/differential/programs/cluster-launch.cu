// What can be asked and said of clusters: attributes of the device and of kernels, occupancy, and launches that are refused.
// arch: 90
// run: --machine h100
#include "check.hpp"

__global__ void sizes(unsigned* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = __clusterSizeInBlocks() + 100 * __clusterRelativeBlockRank() + 10000 * __clusterDimIsSpecified();
}

struct Launch {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};

  Launch(unsigned blocks, unsigned cluster) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
};

int main() {
  int value = 0;
  CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
  check::that(value == 1, "the device launches clusters");

  Buffer<unsigned> out(32);
  const auto attempt = [&](unsigned blocks, unsigned cluster) {
    Launch launch(blocks, cluster);
    const cudaError_t status = cudaLaunchKernelEx(&launch.config, sizes, static_cast<unsigned*>(out));
    cudaGetLastError();
    return status;
  };
  check::code(attempt(8, 4), cudaSuccess, "clusters of 4");
  check::same(out.read(), table(32, [](size_t i) -> unsigned { return i < 8 ? 4u + 100u * (i % 4) + 10000u : 0u; }), "sizes");
  check::code(attempt(8, 3), cudaErrorInvalidClusterSize, "a grid that they do not divide");
  check::code(attempt(32, 16), cudaErrorInvalidClusterSize, "more than every machine allows");
  CUDA(cudaFuncSetAttribute(sizes, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  check::code(attempt(32, 16), cudaSuccess, "asked for");
  check::code(attempt(32, 32), cudaErrorInvalidClusterSize, "more than this one allows");

  Launch launch(32, 8);
  int clusters = 0, most = 0;
  CUDA(cudaOccupancyMaxPotentialClusterSize(&most, sizes, &launch.config));
  check::that(most == 16, "the largest cluster has 16 blocks");
  CUDA(cudaOccupancyMaxActiveClusters(&clusters, sizes, &launch.config));
  check::that(clusters > 16, "clusters of 8 are resident");

  CUDA(cudaFuncSetAttribute(sizes, cudaFuncAttributeRequiredClusterWidth, 2));
  CUDA(cudaFuncSetAttribute(sizes, cudaFuncAttributeRequiredClusterHeight, 1));
  CUDA(cudaFuncSetAttribute(sizes, cudaFuncAttributeRequiredClusterDepth, 1));
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, sizes));
  check::that(attributes.requiredClusterWidth == 2 && attributes.nonPortableClusterSizeAllowed == 1, "attributes are remembered");
  sizes<<<8, 32>>>(out);
  CUDA(cudaDeviceSynchronize());
  check::same(out.read(), table(32, [](size_t i) -> unsigned { return i < 8 ? 2u + 100u * (i % 2) + 10000u : i % 16 * 100u + 10016u; }), "required by an attribute");
  return check::finish();
}
