// Managed memory, allocated and declared: both sides use one address.
#include "check.hpp"

struct Node {
  int value;
  Node* next;
};

__managed__ int sum = 100;
__managed__ Node* head = nullptr;

__global__ void walk() {
  for (Node* node = head; node != nullptr; node = node->next) {
    sum += node->value;
    node->value = -node->value;
  }
}

int main() {
  Node* nodes = nullptr;
  CUDA(cudaMallocManaged(&nodes, 10 * sizeof(Node)));
  for (int i = 0; i < 10; ++i) nodes[i] = {i * i, i + 1 < 10 ? &nodes[i + 1] : nullptr};
  head = nodes;
  walk<<<1, 1>>>();
  CUDA(cudaDeviceSynchronize());
  std::printf("sum %d\n", sum);
  check::that(sum == 100 + 285, "the sum of squares up to 81 was added");
  check::same(table(10, [&](size_t i) { return nodes[i].value; }), table(10, [](size_t i) { return -static_cast<int>(i * i); }), "values");

  cudaPointerAttributes attributes{};
  CUDA(cudaPointerGetAttributes(&attributes, nodes));
  check::that(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == attributes.hostPointer, "type is managed");
  sum = 1;
  walk<<<1, 1>>>();
  CUDA(cudaDeviceSynchronize());
  check::that(sum == 1 - 285, "a value that the host wrote in between");
  CUDA(cudaFree(nodes));
  return check::finish();
}
