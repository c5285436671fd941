// The most read pages first, as Mars's PageViewRank finds them (He et al., PACT 2008) with the MapReduce of common/map_reduce.hpp, from
// how often each page was read. Map: one thread a line of text reads the count and emits it as the key, the address as the value. The
// sort by falling count is the result; Mars, too, has nothing to reduce here.
#include "../common/map_reduce.hpp"
#include "../common/web.hpp"
#include "../common/workload.hpp"

using namespace workloads;

// A line is ADDRESS COUNT.
__device__ int addressSize(const char* line) {
  int size = 0;
  while (line[size] != ' ') ++size;
  return size;
}

__device__ int readNumber(const char* digits) {
  int number = 0;
  for (; *digits != '\n'; ++digits) number = number * 10 + (*digits - '0');
  return number;
}

__global__ void pageRankMapCount(const char* text, const int* lines, int count, int* keyBytes, int* valueBytes, int* records) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= count) return;
  keyBytes[line] = sizeof(int);
  valueBytes[line] = addressSize(text + lines[line]);
  records[line] = 1;
}

__global__ void pageRankMap(const char* text, const int* lines, int count, const int* keyAt, const int* valueAt, const int* recordAt,
                            Byte* keys, Byte* values, Entry* directory) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= count) return;
  Emitter out(keys, values, directory, keyAt[line], valueAt[line], recordAt[line]);
  const char* address = text + lines[line];
  const int size = addressSize(address);
  *reinterpret_cast<int*>(out.key()) = readNumber(address + size + 1);
  for (int i = 0; i < size; ++i) out.value()[i] = address[i];
  out.emit(sizeof(int), size);
}

HostRecords rankOnDevice(const Lines& list, Timings& timings) {
  const DeviceArray<char> text(list.text);
  const DeviceArray<int> lines(list.offsets);
  const int count = list.count(), blocks = divideUp(count, kMapThreads);
  Emissions room(count);
  timings.kernels([&] {
    pageRankMapCount<<<blocks, kMapThreads>>>(text.data(), lines.data(), count, room.keyBytes.data(), room.valueBytes.data(),
                                              room.records.data());
    room.sum();
  });
  const Records records(room);
  timings.kernels([&] {
    pageRankMap<<<blocks, kMapThreads>>>(text.data(), lines.data(), count, room.keyBytes.data(), room.valueBytes.data(),
                                         room.records.data(), records.keys.data(), records.values.data(), records.directory.data());
    records.sort<FallingNumberOrder>();
  });
  return HostRecords(records);
}

struct Page {
  int views, line;
  std::string address;
};

// Pages that were read equally often keep their order.
std::vector<Page> referenceRank(const Lines& list) {
  std::vector<Page> pages;
  for (int line = 0; line < list.count(); ++line) {
    const std::string words(list.text.begin() + list.offsets[line], list.text.begin() + list.offsets[line + 1]);
    const size_t space = words.find(' ');
    pages.push_back({std::stoi(words.substr(space + 1)), line, words.substr(0, space)});
  }
  std::sort(pages.begin(), pages.end(),
            [](const Page& a, const Page& b) { return a.views != b.views ? a.views > b.views : a.line < b.line; });
  return pages;
}

bool agree(const std::vector<Page>& expected, const HostRecords& got) {
  std::vector<int> expectedViews, views;
  for (const Page& page : expected) expectedViews.push_back(page.views);
  for (int record = 0; record < got.count; ++record) views.push_back(got.key<int>(record));
  if (!expectEqual("views", expectedViews, views)) return false;
  for (int record = 0; record < got.count; ++record) {
    if (got.valueText(record) == expected[record].address) continue;
    std::cerr << "address[" << record << "]: expected " << expected[record].address << ", got " << got.valueText(record) << "\n";
    return false;
  }
  return true;
}

// What page-view-count would print for ten views a page: the counts fall off as Zipf's law says, with the noise of the draws. Pages come
// in no order of popularity.
Lines makeList(int pages, Random& random) {
  const Zipf popularity(pages, kPagePopularity);
  std::vector<int> views(pages, 1);
  for (int view = 0; view < 9 * pages; ++view) ++views[popularity.draw(random)];
  for (int page = pages - 1; page > 0; --page) std::swap(views[page], views[random.below(page + 1)]);
  const std::vector<std::string> urls = makeUrls(pages, random);
  Lines list;
  for (int page = 0; page < pages; ++page) list.add(urls[page] + " " + std::to_string(views[page]));
  return list;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"page-view-rank",
                                        "pages by falling number of views, by MapReduce with counts as keys",
                                        "1,501 pages",
                                        "20,011 pages",
                                        "1,000,003 pages",
                                        {}});
  Random random(54);
  const Lines list = makeList(options.pick(1'501, 20'011, 1'000'003), random);
  Timings timings;
  const HostRecords got = rankOnDevice(list, timings);
  std::vector<Page> expected;
  timings.reference([&] { expected = referenceRank(list); });
  timings.print();
  return report("page-view-rank", agree(expected, got));
}
