#include "compression/c_pack.hpp"

#include <algorithm>

#include "compression/bits.hpp"
#include "compression/words.hpp"

namespace warpwright::compression {
namespace {

constexpr u32 kDictionaryValues = 4;
constexpr u32 kLastByte = 0xff;

enum class Form : u8 { zero, lastByte, whole, allButLastByte };

struct Word {
  Form form = Form::zero;
  u32 entry = 0;  // of the dictionary, for the last two forms
};

u32 wordAt(Line line, u32 index) { return static_cast<u32>(valueAt(line, index, 4)); }

// A word that is in no form becomes a value of the dictionary, and with it has one.
Word wordIn(std::vector<u32>& dictionary, u32 word) {
  if (word == 0) return {Form::zero};
  if (word <= kLastByte) return {Form::lastByte};
  const auto whole = std::find(dictionary.begin(), dictionary.end(), word);
  if (whole != dictionary.end()) return {Form::whole, static_cast<u32>(whole - dictionary.begin())};
  const auto part = std::find_if(dictionary.begin(), dictionary.end(), [&](u32 each) { return (each ^ word) <= kLastByte; });
  if (part != dictionary.end()) return {Form::allButLastByte, static_cast<u32>(part - dictionary.begin())};
  dictionary.push_back(word);
  return {Form::whole, static_cast<u32>(dictionary.size() - 1)};
}

}  // namespace

u32 cPackMostValues(const Variants& variants) { return variants.cPackZeroInDictionary ? kDictionaryValues - 1 : kDictionaryValues; }

std::optional<Bytes> cPackCompress(Line line, const Variants& variants) {
  const u32 words = static_cast<u32>(line.size()) / 4;
  std::vector<u32> dictionary;
  BitWriter to;
  for (u32 i = 0; i < words; ++i) {
    const Word word = wordIn(dictionary, wordAt(line, i));
    if (dictionary.size() > cPackMostValues(variants)) return std::nullopt;
    to.put(static_cast<u64>(word.form), 2);
    to.put(word.entry, 2);
  }
  to.put(dictionary.size(), 3);
  to.align();
  for (const u32 value : dictionary) to.put(value, 32);
  for (u32 i = 0; i < words; ++i) to.put(wordAt(line, i), 8);
  Bytes result = to.take();
  if (result.size() >= line.size()) return std::nullopt;
  return result;
}

// The dictionary lies with the line.
void cPackDecompress(std::span<const std::byte> compressed, std::span<std::byte> line, const Variants&) {
  const u32 words = static_cast<u32>(line.size()) / 4;
  BitReader head(compressed), body(compressed);
  for (u32 i = 0; i < words; ++i) body.take(4);
  std::vector<u32> dictionary(body.take(3));
  body.align();
  for (u32& value : dictionary) value = static_cast<u32>(body.take(32));
  for (u32 i = 0; i < words; ++i) {
    const Form form = static_cast<Form>(head.take(2));
    const u64 entry = head.take(2);
    const u32 last = static_cast<u32>(body.take(8));
    const bool hasValue = form == Form::whole || form == Form::allButLastByte;
    setValueAt(line, i, 4, (hasValue ? dictionary[entry] & ~kLastByte : 0) | last);
  }
}

}  // namespace warpwright::compression
