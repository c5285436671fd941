// The product of two matrices as Mars computes it (He et al., PACT 2008), with the MapReduce of common/map_reduce.hpp. Map: one thread an
// element of the product emits its row and column as the key and the product of the row and the column as the value. Nothing is to be
// grouped or reduced: as in Mars, the pass with the map alone is the program.
#include "../common/map_reduce.hpp"
#include "../common/workload.hpp"
#include "../common/zipf.hpp"

using namespace workloads;

struct Shape {
  int rows, inner, columns;
};

struct Place {
  int row, column;
};

__global__ void multiplyMapCount(int elements, int* keyBytes, int* valueBytes, int* records) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= elements) return;
  keyBytes[element] = sizeof(Place);
  valueBytes[element] = sizeof(float);
  records[element] = 1;
}

// The columns of the right-hand side lie one after another, as Mars keeps them.
__global__ void multiplyMap(const float* left, const float* right, Shape shape, const int* keyAt, const int* valueAt, const int* recordAt,
                            Byte* keys, Byte* values, Entry* directory) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= shape.rows * shape.columns) return;
  Emitter out(keys, values, directory, keyAt[element], valueAt[element], recordAt[element]);
  const Place place = {element / shape.columns, element % shape.columns};
  const float *row = left + place.row * shape.inner, *column = right + place.column * shape.inner;
  float sum = 0.0f;
  for (int i = 0; i < shape.inner; ++i) sum += row[i] * column[i];
  *reinterpret_cast<Place*>(out.key()) = place;
  *reinterpret_cast<float*>(out.value()) = sum;
  out.emit(sizeof(Place), sizeof(float));
}

HostRecords multiplyOnDevice(const std::vector<float>& left, const std::vector<float>& right, Shape shape, Timings& timings) {
  const DeviceArray<float> deviceLeft(left), deviceRight(right);
  const int elements = shape.rows * shape.columns, blocks = divideUp(elements, kMapThreads);
  Emissions room(elements);
  timings.kernels([&] {
    multiplyMapCount<<<blocks, kMapThreads>>>(elements, room.keyBytes.data(), room.valueBytes.data(), room.records.data());
    room.sum();
  });
  const Records records(room);
  timings.kernels([&] {
    multiplyMap<<<blocks, kMapThreads>>>(deviceLeft.data(), deviceRight.data(), shape, room.keyBytes.data(), room.valueBytes.data(),
                                         room.records.data(), records.keys.data(), records.values.data(), records.directory.data());
  });
  return HostRecords(records);
}

std::vector<float> referenceMultiply(const std::vector<float>& left, const std::vector<float>& right, Shape shape) {
  std::vector<float> product;
  for (int row = 0; row < shape.rows; ++row)
    for (int column = 0; column < shape.columns; ++column) {
      float sum = 0.0f;
      for (int i = 0; i < shape.inner; ++i) sum += left[size_t(row) * shape.inner + i] * right[size_t(column) * shape.inner + i];
      product.push_back(sum);
    }
  return product;
}

// What readers think of films: most have seen few, all have seen some of them. Stars from 1 to 5, 0 for what is not rated; the films'
// popularity follows Zipf's law, as in collections of ratings.
std::vector<float> makeRatings(int readers, int films, Random& random) {
  const Zipf popularity(films, 1.0);
  std::vector<float> ratings(size_t(readers) * films, 0.0f);
  for (int reader = 0; reader < readers; ++reader)
    for (int seen = films / 4; seen > 0; --seen)
      ratings[size_t(reader) * films + popularity.draw(random)] = float(1 + std::max(random.below(5), random.below(5)));
  return ratings;
}

// How films lie along each hidden taste: the later tastes matter less. In 256ths, as models are served with 8 bits. Products and sums
// are then multiples of 1/256 below 5 * films / 2, which are exact in single precision up to 26,000 films: both sides agree exactly.
std::vector<float> makeTastes(int tastes, int films, Random& random) {
  std::vector<float> values;
  for (int taste = 0; taste < tastes; ++taste)
    for (int film = 0; film < films; ++film)
      values.push_back(std::round(random.uniform(-127.0f, 127.0f) / (1.0f + float(taste) / 16.0f)) / 256.0f);
  return values;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"mapreduce-matrix-multiply",
                                        "product of matrices by MapReduce, an element a record",
                                        "(75 x 70) x (70 x 45)",
                                        "(250 x 200) x (200 x 150)",
                                        "(1024 x 1024) x (1024 x 1024)",
                                        {}});
  const Shape shape = options.pick(Shape{75, 70, 45}, Shape{250, 200, 150}, Shape{1024, 1024, 1024});
  Random random(52);
  const std::vector<float> ratings = makeRatings(shape.rows, shape.inner, random), tastes = makeTastes(shape.columns, shape.inner, random);
  Timings timings;
  const HostRecords got = multiplyOnDevice(ratings, tastes, shape, timings);
  std::vector<float> expected, product;
  timings.reference([&] { expected = referenceMultiply(ratings, tastes, shape); });
  std::vector<int> places, expectedPlaces;
  for (int record = 0; record < got.count; ++record) {
    const Place place = got.key<Place>(record);
    places.push_back(place.row * shape.columns + place.column);
    expectedPlaces.push_back(record);
    product.push_back(got.value<float>(record));
  }
  timings.print();
  const bool correct = expectEqual("places", expectedPlaces, places) && expectEqual("product", expected, product);
  return report("mapreduce-matrix-multiply", correct);
}
