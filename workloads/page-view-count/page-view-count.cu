// How often each page was read, from a log, as Mars's PageViewCount finds it (He et al., PACT 2008) with the MapReduce of
// common/map_reduce.hpp. Map: one thread a line emits the address of the page, as text, and 1. Records are grouped by address. Reduce:
// one thread a page emits the address and the sum.
#include <map>

#include "../common/map_reduce.hpp"
#include "../common/web.hpp"
#include "../common/workload.hpp"

using namespace workloads;

// A line is ADDRESS HOST TIME.
__device__ int addressSize(const char* line) {
  int size = 0;
  while (line[size] != ' ') ++size;
  return size;
}

__global__ void pageViewMapCount(const char* text, const int* lines, int count, int* keyBytes, int* valueBytes, int* records) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= count) return;
  keyBytes[line] = addressSize(text + lines[line]);
  valueBytes[line] = sizeof(int);
  records[line] = 1;
}

__global__ void pageViewMap(const char* text, const int* lines, int count, const int* keyAt, const int* valueAt, const int* recordAt,
                            Byte* keys, Byte* values, Entry* directory) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= count) return;
  Emitter out(keys, values, directory, keyAt[line], valueAt[line], recordAt[line]);
  const char* address = text + lines[line];
  const int size = addressSize(address);
  for (int i = 0; i < size; ++i) out.key()[i] = address[i];
  *reinterpret_cast<int*>(out.value()) = 1;
  out.emit(size, sizeof(int));
}

__global__ void pageViewReduceCount(const Entry* directory, const int* starts, int groups, int* keyBytes, int* valueBytes, int* records) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  keyBytes[group] = directory[starts[group]].keySize;
  valueBytes[group] = sizeof(int);
  records[group] = 1;
}

__global__ void pageViewReduce(const Byte* mappedKeys, const Byte* mappedValues, const Entry* mapped, const int* starts, int groups,
                               const int* keyAt, const int* valueAt, const int* recordAt, Byte* keys, Byte* values, Entry* directory) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  Emitter out(keys, values, directory, keyAt[group], valueAt[group], recordAt[group]);
  int sum = 0;
  for (int record = starts[group]; record < starts[group + 1]; ++record)
    sum += *reinterpret_cast<const int*>(mappedValues + mapped[record].valueOffset);
  const Entry first = mapped[starts[group]];
  for (int i = 0; i < first.keySize; ++i) out.key()[i] = mappedKeys[first.keyOffset + i];
  *reinterpret_cast<int*>(out.value()) = sum;
  out.emit(first.keySize, sizeof(int));
}

HostRecords countOnDevice(const Lines& log, Timings& timings) {
  const DeviceArray<char> text(log.text);
  const DeviceArray<int> lines(log.offsets);
  const int count = log.count(), blocks = divideUp(count, kMapThreads);
  Emissions mapRoom(count);
  timings.kernels([&] {
    pageViewMapCount<<<blocks, kMapThreads>>>(text.data(), lines.data(), count, mapRoom.keyBytes.data(), mapRoom.valueBytes.data(),
                                              mapRoom.records.data());
    mapRoom.sum();
  });
  const Records mapped(mapRoom);
  timings.kernels([&] {
    pageViewMap<<<blocks, kMapThreads>>>(text.data(), lines.data(), count, mapRoom.keyBytes.data(), mapRoom.valueBytes.data(),
                                         mapRoom.records.data(), mapped.keys.data(), mapped.values.data(), mapped.directory.data());
    mapped.sort<TextOrder>();
  });
  const Groups groups = Groups::of(mapped, TextOrder());
  const int reduceBlocks = divideUp(groups.count, kMapThreads);
  Emissions room(groups.count);
  timings.kernels([&] {
    pageViewReduceCount<<<reduceBlocks, kMapThreads>>>(mapped.directory.data(), groups.starts.data(), groups.count, room.keyBytes.data(),
                                                       room.valueBytes.data(), room.records.data());
    room.sum();
  });
  const Records reduced(room);
  timings.kernels([&] {
    pageViewReduce<<<reduceBlocks, kMapThreads>>>(mapped.keys.data(), mapped.values.data(), mapped.directory.data(), groups.starts.data(),
                                                  groups.count, room.keyBytes.data(), room.valueBytes.data(), room.records.data(),
                                                  reduced.keys.data(), reduced.values.data(), reduced.directory.data());
  });
  return HostRecords(reduced);
}

std::map<std::string, int> referenceCount(const Lines& log) {
  std::map<std::string, int> views;
  for (int line = 0; line < log.count(); ++line) {
    const auto begin = log.text.begin() + log.offsets[line];
    ++views[std::string(begin, std::find(begin, log.text.end(), ' '))];
  }
  return views;
}

// Both sides are sorted by address; counts are whole numbers.
bool agree(const std::map<std::string, int>& expected, const HostRecords& got) {
  std::vector<int> expectedViews, views;
  for (const auto& page : expected) expectedViews.push_back(page.second);
  for (int record = 0; record < got.count; ++record) views.push_back(got.value<int>(record));
  if (!expectEqual("views", expectedViews, views)) return false;
  int record = 0;
  for (const auto& page : expected) {
    const std::string address = got.keyText(record++);
    if (address == page.first) continue;
    std::cerr << "address[" << record - 1 << "]: expected " << page.first << ", got " << address << "\n";
    return false;
  }
  return true;
}

// The lines that a proxy writes: popular pages often, some never, each with the reader's address and a time that rises.
Lines makeLog(int views, Random& random) {
  const std::vector<std::string> urls = makeUrls(views / 4 + 1, random);
  const Zipf popularity(int(urls.size()), kPagePopularity);
  Lines log;
  int time = 1'190'000'000;
  for (int view = 0; view < views; ++view) {
    time += random.below(3);
    log.add(urls[popularity.draw(random)] + " 10.0." + std::to_string(random.below(8)) + "." + std::to_string(random.below(256)) + " " +
            std::to_string(time));
  }
  return log;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"page-view-count",
                                        "views of each page of a log, by MapReduce with addresses as keys",
                                        "1,501 lines",
                                        "20,011 lines",
                                        "1,000,003 lines",
                                        {}});
  Random random(51);
  const Lines log = makeLog(options.pick(1'501, 20'011, 1'000'003), random);
  Timings timings;
  const HostRecords got = countOnDevice(log, timings);
  std::map<std::string, int> expected;
  timings.reference([&] { expected = referenceCount(log); });
  timings.print();
  return report("page-view-count", agree(expected, got));
}
