// AES encryption and decryption of independent blocks (electronic code book), table-driven. Four threads share a 16-byte block,
// one column each; the tables and two copies of the state lie in shared memory, where every round gathers bytes of the state and
// then table words at addresses that depend on the data.
#include <cstring>

#include "../common/workload.hpp"
#include "tables.hpp"

using namespace workloads;
using aes::Byte;
using aes::Bytes;
using aes::Word;

constexpr int kThreads = 256;
constexpr int kBlockBytesPerGridBlock = 4 * kThreads;

__constant__ Word roundKeys[aes::kMaximumScheduleWords];

// `mixed` and `last` as in aes::Tables; `direction` is 1 for ShiftRows and 3, which is -1 modulo 4, for its inverse.
template <int kDirection>
__device__ void transformBlock(const Word* mixed, const Word* last, const Word* in, Word* out, int words, int rounds) {
  __shared__ Word tables[4][aes::kTableWords];
  __shared__ Word lastTable[aes::kTableWords];
  __shared__ Word stages[2][kThreads];
  const int thread = threadIdx.x;
  for (int row = 0; row < 4; ++row) tables[row][thread] = mixed[row * aes::kTableWords + thread];
  lastTable[thread] = last[thread];

  const int index = blockIdx.x * kThreads + thread;
  const int column = thread % 4, firstColumn = thread - column;
  stages[0][thread] = (index < words ? in[index] : 0) ^ roundKeys[column];
  for (int round = 1; round < rounds; ++round) {
    __syncthreads();
    const Byte* state = reinterpret_cast<const Byte*>(&stages[(round - 1) % 2][firstColumn]);
    Word next = roundKeys[4 * round + column];
#pragma unroll
    for (int row = 0; row < 4; ++row) next ^= tables[row][state[4 * ((column + kDirection * row) % 4) + row]];
    stages[round % 2][thread] = next;
  }
  __syncthreads();
  const Byte* state = reinterpret_cast<const Byte*>(&stages[(rounds - 1) % 2][firstColumn]);
  Word result = roundKeys[4 * rounds + column];
#pragma unroll
  for (int row = 0; row < 4; ++row) result ^= lastTable[state[4 * ((column + kDirection * row) % 4) + row]] << (8 * row);
  if (index < words) out[index] = result;
}

__global__ void aesEncrypt(const Word* mixed, const Word* last, const Word* in, Word* out, int words, int rounds) {
  transformBlock<1>(mixed, last, in, out, words, rounds);
}

__global__ void aesDecrypt(const Word* mixed, const Word* last, const Word* in, Word* out, int words, int rounds) {
  transformBlock<3>(mixed, last, in, out, words, rounds);
}

using Kernel = void (*)(const Word*, const Word*, const Word*, Word*, int, int);

// One direction of the cipher.
struct Direction {
  const char* name;
  Kernel kernel;
  int shift;  // of ShiftRows: 1, or -1 for its inverse
  aes::Tables tables;
  std::vector<Word> (*schedule)(const aes::Key&);
  void (*standardBlock)(Byte*, const aes::Key&);  // as FIPS-197 writes it
};

Bytes runOnDevice(const Direction& direction, const aes::Key& key, const Bytes& in, Timings& timings) {
  std::vector<Word> words(in.size() / 4);
  std::memcpy(words.data(), in.data(), in.size());
  const DeviceArray<Word> mixed(direction.tables.mixed), last(direction.tables.last), deviceIn(words), deviceOut(words.size());
  const std::vector<Word> schedule = direction.schedule(key);
  WORKLOAD_CHECK(cudaMemcpyToSymbol(roundKeys, schedule.data(), schedule.size() * sizeof(Word)));
  const int count = int(words.size());
  timings.kernels([&] {
    direction.kernel<<<divideUp(count, kThreads), kThreads>>>(mixed.data(), last.data(), deviceIn.data(), deviceOut.data(), count,
                                                              key.rounds);
  });
  Bytes out(in.size());
  std::memcpy(out.data(), deviceOut.download().data(), out.size());
  return out;
}

Bytes standardRun(const Direction& direction, const aes::Key& key, Bytes data) {
  for (size_t at = 0; at < data.size(); at += aes::kBlockBytes) direction.standardBlock(&data[at], key);
  return data;
}

// The kernels' algorithm on the host; its time is the one to compare with.
Bytes referenceRun(const Direction& direction, const aes::Key& key, Bytes data) {
  const std::vector<Word> schedule = direction.schedule(key);
  for (size_t at = 0; at < data.size(); at += aes::kBlockBytes)
    aes::transformBlock(direction.tables, schedule, key.rounds, direction.shift, &data[at]);
  return data;
}

Bytes countUp(int count, Byte step) {
  Bytes bytes(count);
  for (int i = 0; i < count; ++i) bytes[i] = Byte(i * step);
  return bytes;
}

// FIPS-197 appendix C: keys 00 01 02 ..., plain text 00 11 22 ... ff.
struct TestVector {
  int keyBytes;
  Bytes cipherText;
};
const TestVector kTestVectors[] = {
    {16, {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a}},
    {24, {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91}},
    {32, {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}},
};

bool checkTestVectors(const Direction& direction, bool encrypts) {
  const Bytes plainText = countUp(aes::kBlockBytes, 0x11);
  bool correct = true;
  for (const TestVector& vector : kTestVectors) {
    const aes::Key key = aes::expandKey(countUp(vector.keyBytes, 1));
    const Bytes& in = encrypts ? plainText : vector.cipherText;
    const Bytes& expected = encrypts ? vector.cipherText : plainText;
    const std::string name = std::string(direction.name) + " FIPS-197 AES-" + std::to_string(8 * vector.keyBytes);
    Timings untimed;
    correct = expectEqual(name + " kernel", expected, runOnDevice(direction, key, in, untimed)) && correct;
    correct = expectEqual(name + " reference", expected, referenceRun(direction, key, in)) && correct;
    correct = expectEqual(name + " standard", expected, standardRun(direction, key, in)) && correct;
  }
  return correct;
}

bool checkText(const Direction& direction, const aes::Key& key, const Bytes& in, Timings& timings) {
  const Bytes got = runOnDevice(direction, key, in, timings);
  Bytes reference;
  timings.reference([&] { reference = referenceRun(direction, key, in); });
  const Bytes expected = standardRun(direction, key, in);
  bool correct = expectEqual(std::string(direction.name) + " reference", expected, reference);
  correct = expectEqual(std::string(direction.name) + " kernel", expected, got) && correct;
  return correct;
}

// Words of varying length over a skewed alphabet, as far from random bits as files are.
Bytes makeText(size_t bytes, Random& random) {
  static const char kLetters[] = "eeeetttaaoinshrdlucmfwypvbgkjqxz";
  Bytes text(bytes);
  for (Byte& character : text) character = random.below(6) == 0 ? ' ' : Byte(kLetters[random.below(sizeof kLetters - 1)]);
  return text;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"aes",
                                        "AES-256 with tables in shared memory, and the FIPS-197 test vectors",
                                        "33 grid blocks of 1 KiB",
                                        "129 grid blocks of 1 KiB",
                                        "257 grid blocks of 1 KiB",
                                        {"encrypt", "decrypt"}});
  const aes::SubstitutionBoxes& boxes = aes::boxes();
  const Direction encrypt{"encrypt", aesEncrypt, 1, aes::makeTables(boxes.forward, aes::kMix), aes::encryptionSchedule, aes::encryptBlock};
  const Direction decrypt{"decrypt",        aesDecrypt, -1, aes::makeTables(boxes.inverse, aes::kInverseMix), aes::decryptionSchedule,
                          aes::decryptBlock};

  Random random(11);
  const Bytes text = makeText(size_t(options.pick(33, 129, 257)) * kBlockBytesPerGridBlock, random);
  Bytes cipherKey(32);
  for (Byte& byte : cipherKey) byte = Byte(random.below(256));
  const aes::Key key = aes::expandKey(cipherKey);

  Timings timings;
  bool correct = true;
  if (options.runs("encrypt")) correct = checkTestVectors(encrypt, true) && checkText(encrypt, key, text, timings) && correct;
  if (options.runs("decrypt"))
    correct = checkTestVectors(decrypt, false) && checkText(decrypt, key, standardRun(encrypt, key, text), timings) && correct;
  timings.print();
  return report("aes", correct);
}
