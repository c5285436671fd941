// Copies between devices, of which there is one, and what asking for access to a peer gives then.
#include "check.hpp"

int main() {
  int count = 0;
  CUDA(cudaGetDeviceCount(&count));
  std::printf("%d device\n", count);
  const auto values = table(300, [](size_t i) { return static_cast<unsigned short>(i * 211); });
  Buffer<unsigned short> from(values), to(300), again(300);
  CUDA(cudaMemcpyPeer(to, 0, from, 0, 300 * sizeof(short)));
  check::same(to.read(), values, "cudaMemcpyPeer");
  CUDA(cudaMemcpyPeerAsync(again, 0, to, 0, 300 * sizeof(short)));
  check::same(again.read(), values, "cudaMemcpyPeerAsync");
  int can = 1;
  check::code(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess, "can device 0 access itself");
  check::that(can == 0, "a device is no peer of its own");
  check::code(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice, "enable access to itself");
  check::code(cudaMemcpyPeer(to, 5, from, 0, 4), cudaErrorInvalidDevice, "no such device");
  cudaGetLastError();
  return check::finish();
}
