// PTX: vprintf
// PTX: __assertfail
// PTX: malloc
// PTX: free
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstring>
struct Node {
  int value;
  Node* next;
  __device__ explicit Node(int v) : value(v), next(nullptr) {}
};
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side = 2;
  __device__ float area() const override { return side * side; }
};
__global__ void kernel(uint8_t* bytes, int n) {
  assert(n > 0 && "positive");
  printf("%d %s %f %lld\n", n, "text", 1.5, 3ll);
  char* memory = (char*)malloc(n);
  memset(memory, 1, n);
  memcpy(bytes, memory, n);
  memcpy(bytes, memory, 16);
  std::memmove(bytes, bytes + 1, 8);
  free(memory);
  Node* node = new Node(3);
  Shape* shape = new Square();
  int* many = new int[n];
  bytes[0] = node->value + many[0] + shape->area();
  delete node;
  delete shape;
  delete[] many;
}
int main() {
  printf("host\n");
  return 0;
}
