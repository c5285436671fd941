// Exact matches of many short reads with a reference text of DNA, by its suffix tree (the algorithm of Schatz, Trapnell, Delcher, Varshney:
// "High-throughput sequence alignment using Graphics Processing Units", BMC Bioinformatics 2007). One thread a read walks down the tree,
// which lies in textures; where a match ends, the suffix link leads to where the match from the read's next base goes on, so that no base
// is looked at twice. Of each place of a read: the longest match, if it is long enough, where in the reference it first occurs, and
// how often.
#include <numeric>
#include <string>

#include "../common/workload.hpp"
#include "suffix_tree.hpp"

using namespace workloads;

constexpr int kThreads = 64;
constexpr int kReadLength = 25, kLeastMatch = 20;  // shorter matches happen by chance: the limit of MUMmer
constexpr int kPlaces = kReadLength - kLeastMatch + 1;
constexpr int kNowhere = -1;

// A node of the tree as the device holds it: a SuffixTree::Node.
__device__ int4 fetchNode(cudaTextureObject_t nodes, int node) { return tex1Dfetch<int4>(nodes, node); }

__device__ int fetchChild(cudaTextureObject_t children, int node, char base) {
  const int4 all = tex1Dfetch<int4>(children, node);
  const unsigned number = baseNumber(base);
  return number == 0 ? all.x : number == 1 ? all.y : number == 2 ? all.z : all.w;
}

// How many bases of the read go on as text[begin + from …end) does.
__device__ int compareEdge(cudaTextureObject_t text, const char* read, int from, int size, int begin) {
  while (from < size && read[from] == tex1Dfetch<signed char>(text, begin + from)) ++from;
  return from;
}

// reads: one after another; lengths, firsts and copies: of each read, kPlaces elements.
__global__ void matchReads(cudaTextureObject_t nodes, cudaTextureObject_t children, cudaTextureObject_t text, const char* reads,
                           int* lengths, int* firsts, int* copies, int count) {
  const int index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= count) return;
  const char* read = reads + index * kReadLength;
  int node = kRoot, depth = 0, matched = 0;  // the node spells `depth` bases, all of them of the match
  for (int place = 0; place < kPlaces; ++place) {
    int4 below = fetchNode(nodes, node);  // the node at which, or on the edge to which, the match ends
    int first = below.y - depth;
    while (place + depth < kReadLength) {
      const int child = fetchChild(children, node, read[place + depth]);
      if (child == kNoChild) break;
      below = fetchNode(nodes, child);
      first = below.x - depth;
      const int edge = below.y - below.x;
      const int known = min(matched - depth, edge), size = min(edge, kReadLength - place - depth);
      const int along = compareEdge(text, read + place + depth, known, size, below.x);
      matched = max(matched, depth + along);
      if (along < edge) break;
      node = child;
      depth += edge;
    }
    if (matched >= kLeastMatch) {
      lengths[index * kPlaces + place] = matched;
      firsts[index * kPlaces + place] = first;
      copies[index * kPlaces + place] = below.w;
    }
    matched = max(matched - 1, 0);
    depth = max(depth - 1, 0);
    node = fetchNode(nodes, node).z;
  }
}

struct Matches {
  std::vector<int> lengths, firsts, copies;

  explicit Matches(size_t reads) : lengths(reads * kPlaces, 0), firsts(reads * kPlaces, kNowhere), copies(reads * kPlaces, 0) {}
};

// An array that kernels read as a texture.
template <class T>
class Texture {
 public:
  explicit Texture(const std::vector<T>& values) : values_(values) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = values_.data();
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = values.size() * sizeof(T);
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    WORKLOAD_CHECK(cudaCreateTextureObject(&object_, &resource, &description, nullptr));
  }
  ~Texture() { cudaDestroyTextureObject(object_); }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  cudaTextureObject_t object() const { return object_; }

 private:
  const DeviceArray<T> values_;
  cudaTextureObject_t object_ = 0;
};

Matches matchOnDevice(const SuffixTree& tree, const std::string& reads, Timings& timings) {
  std::vector<int4> nodeWords, childWords;
  for (const SuffixTree::Node& node : tree.nodes()) nodeWords.push_back({node.begin, node.end, node.link, node.leaves});
  for (const auto& child : tree.children()) childWords.push_back({child[0], child[1], child[2], child[3]});
  const Texture<int4> nodes(nodeWords), children(childWords);
  const Texture<signed char> text(std::vector<signed char>(tree.text().begin(), tree.text().end()));
  const int count = int(reads.size()) / kReadLength;
  Matches matches(count);
  const DeviceArray<char> deviceReads(std::vector<char>(reads.begin(), reads.end()));
  const DeviceArray<int> lengths(matches.lengths), firsts(matches.firsts), copies(matches.copies);
  timings.kernels([&] {
    matchReads<<<divideUp(count, kThreads), kThreads>>>(nodes.object(), children.object(), text.object(), deviceReads.data(),
                                                        lengths.data(), firsts.data(), copies.data(), count);
  });
  matches.lengths = lengths.download();
  matches.firsts = firsts.download();
  matches.copies = copies.download();
  return matches;
}

// By a suffix array: the places of the text in the order of what begins there, searched anew from each place of each read.
class SuffixArray {
 public:
  explicit SuffixArray(const std::string& text) : text_(text), order_(text.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](int a, int b) { return text_.compare(a, std::string::npos, text_, b) < 0; });
  }

  void match(const std::string& piece, int& length, int& first, int& copies) const {
    auto low = order_.begin(), high = order_.end();
    int found = 0;
    for (; found < int(piece.size()); ++found) {
      const auto begin = std::lower_bound(low, high, piece[found], [&](int at, char base) { return after(at, found) < base; });
      const auto end = std::upper_bound(begin, high, piece[found], [&](char base, int at) { return base < after(at, found); });
      if (begin == end) break;
      low = begin, high = end;
    }
    if (found < kLeastMatch) return;
    length = found;
    first = *std::min_element(low, high);
    copies = int(high - low);
  }

 private:
  char after(int at, int distance) const { return at + distance < int(text_.size()) ? text_[at + distance] : '\0'; }

  const std::string& text_;
  std::vector<int> order_;
};

Matches referenceMatch(const std::string& text, const std::string& reads) {
  const SuffixArray suffixes(text);
  const size_t count = reads.size() / kReadLength;
  Matches matches(count);
  for (size_t read = 0; read < count; ++read)
    for (int place = 0; place < kPlaces; ++place) {
      const size_t at = read * kPlaces + place;
      suffixes.match(reads.substr(read * kReadLength + place, kReadLength - place), matches.lengths[at], matches.firsts[at],
                     matches.copies[at]);
    }
  return matches;
}

struct Problem {
  int reference, genome, reads;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"string-matching",
                                        "exact matches of reads of 25 bases with a reference, by its suffix tree",
                                        "5,003 of 10,007 bases, 3,001 reads",
                                        "40,009 of 80,021 bases, 10,007 reads",
                                        "140,000 of 5,227,293 bases, 50,000 reads",
                                        {}});
  const Problem problem = options.pick(Problem{5'003, 10'007, 3'001}, Problem{40'009, 80'021, 10'007}, Problem{140'000, 5'227'293, 50'000});
  Random random(61);
  const std::string genome = makeGenome(problem.genome, random), reference = genome.substr(0, problem.reference);
  // Reads come from all over the genome, of which only the beginning is the reference. One base of a hundred differs: what sequencers
  // mistake and what another strain has changed.
  std::string reads;
  for (int read = 0; read < problem.reads; ++read)
    reads += mutated(genome.substr(random.below(problem.genome - kReadLength + 1), kReadLength), 100, random);

  Timings timings;
  const SuffixTree tree(reference);
  const Matches got = matchOnDevice(tree, reads, timings);
  Matches expected(0);
  timings.reference([&] { expected = referenceMatch(reference, reads); });
  timings.print();
  const bool correct = expectEqual("lengths", expected.lengths, got.lengths) && expectEqual("first places", expected.firsts, got.firsts) &&
                       expectEqual("copies", expected.copies, got.copies);
  return report("string-matching", correct);
}
