// Objects with virtual functions, made and used on the device; neighbouring threads call different ones.
#include "check.hpp"

class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
class Rectangle : public Shape {
 public:
  __device__ Rectangle(float width, float height) : width_(width), height_(height) {}
  __device__ float area() const override { return width_ * height_; }
  __device__ int corners() const override { return 4; }

 protected:
  float width_, height_;
};
class Triangle final : public Rectangle {
 public:
  using Rectangle::Rectangle;
  __device__ Triangle(float width, float height) : Rectangle(width, height) {}
  __device__ float area() const override { return 0.5f * Rectangle::area(); }
  __device__ int corners() const override { return 3; }
};
class Dot : public Shape {
 public:
  __device__ float area() const override { return 0; }
};

__global__ void make(Shape** shapes) {
  const int i = threadIdx.x;
  if (i % 3 == 0) shapes[i] = new Rectangle(i, 2);
  if (i % 3 == 1) shapes[i] = new Triangle(i, 4);
  if (i % 3 == 2) shapes[i] = new Dot;
}
__global__ void measure(Shape** shapes, float* areas, int* corners) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
  corners[threadIdx.x] = shapes[threadIdx.x]->corners();
}
__global__ void destroy(Shape** shapes) { delete shapes[threadIdx.x]; }

int main() {
  Buffer<Shape*> shapes(64);
  Buffer<float> areas(64);
  Buffer<int> corners(64);
  make<<<1, 64>>>(shapes);
  measure<<<1, 64>>>(shapes, areas, corners);
  destroy<<<1, 64>>>(shapes);
  check::same(areas.read(), table(64, [](size_t i) { return i % 3 == 2 ? 0.0f : 2.0f * i; }), "areas");
  check::same(corners.read(), table(64, [](size_t i) { return i % 3 == 0 ? 4 : i % 3 == 1 ? 3 : 0; }), "corners");
  return check::finish();
}
